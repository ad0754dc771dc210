/** The requests, as `METHOD path`, that are served to whoever asks. */
export function freeRequests(...requests: readonly string[]): (method: string, path: string) => boolean {
  const free = new Set(requests);
  return (method, path) => free.has(`${method} ${path}`);
}
