/** What a terminal shows when the service listens: the addresses and the next command, each on a line of its own. */
export const firstSteps = (url: string, hasConsole: boolean, next: string): string =>
  `\nService  ${url}\n${hasConsole ? `Console  ${url}/console\n` : ''}Next     ${next}, in a second terminal\n\n`;
