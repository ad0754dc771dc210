// A real Chromium. Its pages fail a test for invisible errors: messages on the browser's console, violations of the
// content security policy, requests to other origins.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { smallPng } from './small-png';

/** The headless shell has no browser window and takes a third of the CPU time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const PROGRAM = process.env['BERTH_CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path)) ?? '';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Generous, because the machine can be busy; only a hang is a failure. */
const PATIENCE_MS = 60_000;

const TABS_MAX = 120;

/** The window, in pixels. */
const WIDTH = 1440;
const HEIGHT = 900;

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

  /** Opens a new window, like a user's first visit. */
  async open(
    path: string,
    { scheme = 'light', width = WIDTH, isFirst = false }: { scheme?: Scheme; width?: number; isFirst?: boolean } = {},
  ): Promise<Visit> {
    const context = await this.browser.newContext({
      viewport: { width, height: HEIGHT },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    // Tests of pages see them without the guided visit.
    if (!isFirst) await page.addInitScript("localStorage.setItem('berth.first-visit', 'seen')");
    const visit = new Visit(context, page, this.url);
    await page.goto(`${this.url}/console${path}`);
    return visit;
  }

  /** Opens a page as a logged-in user. */
  async enter(
    path: string,
    options: { scheme?: Scheme; width?: number; name?: string; isFirst?: boolean } = {},
  ): Promise<Visit> {
    const visit = await this.open(path, options);
    await visit.login(options.name);
    return visit;
  }
}

/** Serious accessibility findings of axe. */
interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The accessible name of the focused control, evaluated in the page. */
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

  /** Loads another page in this tab, in a window as at first, with no complaints yet. */
  async goTo(path: string): Promise<void> {
    await this.page.setViewportSize({ width: WIDTH, height: HEIGHT });
    this.complaints.length = 0;
    await this.page.goto(`${this.url}/console${path}`);
  }

  /** As after a change of the desktop's setting. The page's colours follow a moment later. */
  async useScheme(scheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: 'attached' });
  }

  /** Waits until the page has its header and nothing is loading. */
  async settled(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    // Without a function that the page evaluates repeatedly, because the content security policy forbids eval.
    await this.page.locator('[aria-busy="true"], [data-loading="true"]').first().waitFor({ state: 'detached' });
    await this.page.waitForLoadState('domcontentloaded');
  }

  /** Moves the focus with the Tab key, up to a limit. Throws if the control is not reached. */
  async tabTo(name: string | RegExp): Promise<void> {
    for (let pressed = 0; pressed < TABS_MAX; pressed += 1) {
      const named = await this.page.evaluate<string>(NAME_IN_FOCUS);
      if (typeof name === 'string' ? named.replace(' *', '').trim() === name : name.test(named)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the Tab key does not come to ${String(name)}`);
  }

  /**
   * Findings that axe rates serious or critical. Runs in the page's main world, where the policy blocks other scripts.
   */
  async findings(): Promise<readonly Finding[]> {
    if (!(await this.page.evaluate<boolean>("'axe' in window"))) await this.page.evaluate(AXE);
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
