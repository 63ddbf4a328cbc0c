import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Publication, publicationClient } from '../../scripts/publish/publication-client.ts'
import { makeLibrary } from './make-library.ts'

/** Creates and publishes the demo's library one by one, and returns the results, oldest first. */
export async function publishAll(url: string, apiKey: string, signal: AbortSignal): Promise<Publication[]> {
  const client = publicationClient(url, apiKey, signal)
  const folder = await mkdtemp(join(tmpdir(), 'trackpress-demo-'))
  const published: Publication[] = []
  try {
    for await (const { title, pdf } of makeLibrary(signal)) {
      const path = join(folder, `${published.length}.pdf`)
      await writeFile(path, pdf)
      const ticket = await client.askForTicket()
      await client.upload(ticket, { path, size: pdf.length }, () => {})
      published.push(await client.create(ticket, title))
    }
    return published
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
