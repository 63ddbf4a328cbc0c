/**
 * Opens the PDF in a new tab, or in this one if the browser blocks it.
 * @throws Error if the request for its address fails
 */
export async function openPdf(address: string): Promise<void> {
  // Browsers allow a new tab only during the click, and the address is known later.
  const tab = open('about:blank')
  try {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`The server answered ${response.status} for the address of the PDF`)
    const { url } = (await response.json()) as { url: string }
    if (tab === null) return location.assign(url)
    tab.opener = null
    tab.location.href = url
  } catch (error) {
    tab?.close()
    throw error
  }
}
