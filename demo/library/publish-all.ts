import { stat } from 'node:fs/promises'
import { type Publication, publicationClient } from '../../scripts/publish/publication-client.ts'
import { LIBRARY, pathOf } from './library.ts'

/** Publishes the demo's library one by one, and returns the results, oldest first. */
export async function publishAll(url: string, apiKey: string, signal: AbortSignal): Promise<Publication[]> {
  const client = publicationClient(url, apiKey, signal)
  const published: Publication[] = []
  for (const { title, file } of LIBRARY) {
    const path = pathOf(file)
    const ticket = await client.askForTicket()
    await client.upload(ticket, { path, size: (await stat(path)).size }, () => {})
    published.push(await client.create(ticket, { title: title }))
  }
  return published
}
