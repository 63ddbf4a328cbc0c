import { request } from '../requests/request-failure.ts'

/**
 * Opens the PDF in a new tab, or in this one if the browser blocks it.
 * @throws RequestFailure if the request for its address fails
 */
export async function openPdf(address: string): Promise<void> {
  // Browsers allow a new tab only during the click, and the address is known later.
  const tab = open('about:blank')
  try {
    const response = await request(address)
    const { url } = (await response.json()) as { url: string }
    if (tab === null) return location.assign(url)
    tab.opener = null
    tab.location.href = url
  } catch (error) {
    tab?.close()
    throw error
  }
}
