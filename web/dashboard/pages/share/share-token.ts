/** The token of a shared address: behind `#`, which no server and no log ever sees. */
export function shareToken({ hash }: { hash: string }): string {
  const text = hash.replace(/^#/, '')
  return new URLSearchParams(text).get('token') ?? decodeURIComponent(text)
}
