/** Returns the token of a share link. It is in the fragment, which browsers never send to a server. */
export function shareToken({ hash }: { hash: string }): string {
  const text = hash.replace(/^#/, '')
  return new URLSearchParams(text).get('token') ?? decodeURIComponent(text)
}
