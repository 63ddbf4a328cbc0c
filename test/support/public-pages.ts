import assert from 'node:assert/strict'
import {
  type DocumentFacts,
  encodePageContent,
  type PageLink,
  type Word,
} from '../../src/publications/model/document-content.ts'
import { type HtmlElement, parseHtml } from './html-tree.ts'
import type { StartedPublications } from './start-service.ts'
import { type PublicationToStore, storePublication } from './store-publication.ts'

export type MadePublicPage = { text?: string; words?: Word[]; links?: PageLink[]; failedCode?: string }

export type PublicationWithPages = Omit<PublicationToStore, 'pageCount'> & {
  facts?: Partial<DocumentFacts>
  /** The rendered pages. */
  pages?: MadePublicPage[]
  pageCount?: number
}

/** Stores a publication with the texts and links of its pages, as rendering does, without images. */
export async function storePages(
  service: StartedPublications,
  { facts = {}, pages = [{ text: 'A page' }], pageCount = pages.length, ...given }: PublicationWithPages = {},
) {
  const sizes = Array.from({ length: pageCount }, () => ({ widthPt: 600, heightPt: 800 }))
  const version = {
    facts: JSON.stringify({ pageCount, pages: sizes, outline: [], metadata: {}, findings: [], ...facts }),
    page_count: pageCount,
    pages_ready: pages.length,
    ...given.version,
  }
  const stored = await storePublication(service, { ...given, version })
  const rows = pages.map(({ text = '', words = [], links = [], failedCode = null }, at) => ({
    version_id: stored.versionId,
    page: at + 1,
    images: '{}',
    is_complete: 1,
    failed_code: failedCode,
    failed_reason: failedCode === null ? null : 'A reason',
    text,
    words: encodePageContent({ words, links }),
  }))
  const { db } = service.server.publications!.deps
  for (let start = 0; start < rows.length; start += 500)
    await db
      .insertInto('pages')
      .values(rows.slice(start, start + 500))
      .execute()
  return stored
}

/** A public page as text and as a tree. */
export type ReadPage = { response: Response; html: string; page: HtmlElement }

/** Fetches a page without following redirects, and requires a status. */
export async function readPage(
  service: StartedPublications,
  path: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Promise<ReadPage> {
  const response = await fetch(service.url + path, { headers, redirect: 'manual' })
  const html = await response.text()
  assert.equal(response.status, status, html.slice(0, 500))
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  return { response, html, page: parseHtml(html) }
}
