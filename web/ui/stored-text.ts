// Texts that a browser keeps for its user, such as choices. One that keeps none, as in a private window or with a full
// disk, only forgets them when the page is closed.

/** Returns a stored text; undefined if there is none, or nothing is kept. */
export function storedText(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a text for the next visits; undefined removes it. */
export function storeText(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch {
    // The page goes on without.
  }
}
