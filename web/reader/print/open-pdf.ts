/**
 * Opens the PDF in a tab of its own, or in this one where the browser opens no other.
 * @throws Error where it cannot be had
 */
export async function openPdf(address: string): Promise<void> {
  // At once, while the browser knows that somebody asked for it; where it leads to is known later.
  const tab = open('about:blank')
  try {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`The address of the PDF was answered with ${response.status}`)
    const { url } = (await response.json()) as { url: string }
    if (tab === null) return location.assign(url)
    tab.opener = null
    tab.location.href = url
  } catch (error) {
    tab?.close()
    throw error
  }
}
