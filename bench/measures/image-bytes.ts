import type { Figure } from '../figure.ts'

const IMAGES = ['1200.jpg', '1200.webp', '600.jpg', '600.webp']

/** Returns the average bytes of a page in each format and width. */
export async function measureImageBytes(document: string, pages: readonly string[]): Promise<Figure[]> {
  const sizes = await Promise.all(IMAGES.map((image) => averageBytes(pages.map((page) => `${page}/${image}`))))
  return [
    {
      what: `${document}: bytes per page`,
      measured: IMAGES.map((image, i) => `${image} ${Math.round(sizes[i] / 1000)} kB`).join(', '),
      beside: `average of ${pages.length} pages`,
      target: '',
    },
  ]
}

async function averageBytes(addresses: readonly string[]): Promise<number> {
  let bytes = 0
  for (const address of addresses) {
    const answer = await fetch(address)
    if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}`)
    bytes += (await answer.arrayBuffer()).byteLength
  }
  return bytes / addresses.length
}
