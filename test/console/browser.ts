// A real Chromium, and pages in it that fail a test for what a user would not see: an error on the browser's console, a
// breach of the policy, a request to anywhere but the service.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { smallPng } from './small-png';

const PROGRAM = process.env['BERTH_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** A busy machine takes long; what hangs is a failure. */
const PATIENCE_MS = 60_000;

const TABS_MAX = 120;

export const hasChromium = (): boolean => existsSync(PROGRAM);

export type Scheme = 'light' | 'dark';

export class ConsoleBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly url: string,
  ) {}

  static async start(url: string): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await chromium.launch({ executablePath: PROGRAM, args: FLAGS }), url);
  }

  stop(): Promise<void> {
    return this.browser.close();
  }

  /** A window of its own, as somebody has it who opens the address for the first time. */
  async open(
    path: string,
    { scheme = 'light', width = 1440 }: { scheme?: Scheme; width?: number } = {},
  ): Promise<Visit> {
    const context = await this.browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const visit = new Visit(context, page, this.url);
    await page.goto(`${this.url}/console${path}`);
    return visit;
  }

  /** Opened by somebody who is logged in. */
  async enter(path: string, options: { scheme?: Scheme; width?: number; name?: string } = {}): Promise<Visit> {
    const visit = await this.open(path, options);
    await visit.login(options.name);
    return visit;
  }
}

/** Findings of axe that keep somebody from using the page. */
interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What whoever listens to the page is told of the control that has the focus. In the page's language, not the suite's. */
const NAME_IN_FOCUS = `(() => {
  const { activeElement: at } = document;
  if (at === null || at === document.body) return '';
  const labels = [...(at.labels ?? [])].map(({ textContent }) => textContent ?? '');
  return at.getAttribute('aria-label') ?? (labels.join(' ') || (at.textContent ?? ''));
})()`;

export class Visit {
  readonly complaints: string[] = [];

  constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => {
      const address = request.url();
      const isOwn = address.startsWith(this.url) || address.startsWith('data:') || address.startsWith('blob:');
      if (!isOwn) this.complaints.push(`asked ${address}`);
    });
  }

  async login(name = 'admin'): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByRole('button', { name: 'Log in' }).click();
    await this.page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  }

  /** Until the page has its head, and nothing on it is still on its way. */
  async settled(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    // Not by a function that the page evaluates again and again: the policy for content forbids that, rightly.
    await this.page.locator('[aria-busy="true"], [data-loading="true"]').first().waitFor({ state: 'detached' });
    await this.page.waitForLoadState('domcontentloaded');
  }

  /** With the Tab key alone, as far as somebody would have patience. Throws when it does not come there. */
  async tabTo(name: string | RegExp): Promise<void> {
    for (let pressed = 0; pressed < TABS_MAX; pressed += 1) {
      const named = await this.page.evaluate<string>(NAME_IN_FOCUS);
      if (typeof name === 'string' ? named.replace(' *', '').trim() === name : name.test(named)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the Tab key does not come to ${String(name)}`);
  }

  /** What axe finds serious or critical. Run in the page's own world, which the policy lets nobody else into. */
  async findings(): Promise<readonly Finding[]> {
    await this.page.evaluate(AXE);
    const asked = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
    const found = await this.page.evaluate<readonly any[]>(asked);
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 4).map((node: any) => node.html) }));
  }

  async picture(path: string): Promise<void> {
    writeFileSync(path, smallPng(await this.page.screenshot({ animations: 'disabled', caret: 'hide' })));
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}
