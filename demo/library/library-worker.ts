import { parentPort } from 'node:worker_threads'
import type { MadePublication } from './make-library.ts'
import { PUBLICATIONS } from './publications.ts'

for (const { title, makePdf } of PUBLICATIONS) {
  const made: MadePublication = { title, pdf: await makePdf() }
  parentPort!.postMessage(made)
}
