import { basename } from 'node:path'
import type { Engine } from './engine.ts'
import type { Figure } from './figure.ts'
import { measureImageBytes } from './measures/image-bytes.ts'
import { measurePageImages } from './measures/page-images.ts'
import { publishAndWait, publishingFigures } from './measures/publishing.ts'
import { measureUploads } from './measures/uploads.ts'
import { imageAddresses, publishPdf } from './publish-pdf.ts'
import { startProgram } from './start-program.ts'

export type PublicationsEffort = { folder: string; pdfs: readonly string[]; rounds: number; durationMs: number }

/** Pages whose images are requested repeatedly to measure responses from memory, and whose bytes are counted. */
const SAMPLED_PAGES = 20

/** Measures the publication service, with a fresh server for each kind of work. */
export async function* measurePublications(engine: Engine, effort: PublicationsEffort): AsyncGenerator<Figure[]> {
  const { folder, pdfs, rounds, durationMs } = effort
  for (const pdf of pdfs) {
    const server = await engine.start()
    const publishing = await publishAndWait(server, pdf)
    yield await publishingFigures(pdf, publishing)
    const pages = (await imageAddresses(server, publishing.slug)).slice(0, SAMPLED_PAGES)
    yield await measureImageBytes(basename(pdf), pages)
    await server.stop()
  }
  const server = await engine.start()
  const bare = await startProgram('bare', 'bench/servers/bare-files-server.ts')
  yield await measureUploads(server, bare, rounds)
  await bare.stop()
  const { slug } = await publishPdf(server, pdfs[0])
  const images = (await imageAddresses(server, slug)).slice(0, SAMPLED_PAGES)
  yield await measurePageImages(server, { folder, images, rounds, durationMs })
  await server.stop()
}
