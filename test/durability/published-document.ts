import { createHash, randomUUID } from 'node:crypto'
import { makePdf, showText } from '../support/make-pdf.ts'
import type { RandomChoices } from '../support/random-choices.ts'

/** A document being published, with the steps that the server has acknowledged. */
export type PublishedDocument = {
  title: string
  pdf: Buffer
  sha256: string
  pageCount: number
  idempotencyKey: string
  ticket: { uploadUrl: string; storageKey: string; pdfPath: string } | undefined
  /** `sent` without a response: the server may have it or not. */
  upload: 'none' | 'sent' | 'acknowledged'
  creation: 'none' | 'sent' | 'acknowledged'
  slug: string | undefined
}

/** Most documents are small. Some are large enough for a kill during their upload or rendering. */
export function makeDocument(random: RandomChoices): PublishedDocument {
  const title = `Document ${randomUUID().slice(0, 8)}`
  const pageCount = random.pick([1, 1, 1, 2, 3, 6])
  const padding = random.chance(0.3) ? random.between(200_000, 3_000_000) : 0
  const pages = Array.from({ length: pageCount }, (_, at) => ({ content: showText(`${title} page ${at + 1}`) }))
  const pdf = makePdf({ pages, objects: [`(${'x'.repeat(padding)})`] })
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  return {
    title,
    pdf,
    sha256,
    pageCount,
    idempotencyKey: randomUUID(),
    ticket: undefined,
    upload: 'none',
    creation: 'none',
    slug: undefined,
  }
}
