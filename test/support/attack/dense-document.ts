import { encodePageContent, type PageContent } from '../../../src/publications/model/document-content.ts'
import { openPublicationsDatabase } from '../../../src/publications/model/tables.ts'
import type { Target } from '../attack.ts'
import { publishPdf, untilRendered } from '../publish.ts'

type DensePages = {
  pages: number
  /** Returns the text of a page. */
  text(page: number): string
  /** Words and links that every page has. */
  content: PageContent
}

/** Publishes a document of one page, and gives it further pages as dense as a test needs. @returns its slug */
export async function publishDense(target: Target, { pages, text, content }: DensePages): Promise<string> {
  const service = { url: target.url, request: target.publish }
  const { id, slug } = await publishPdf(service)
  await untilRendered(service, slug)
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = target.installation.settings
  const logger = { info: () => {}, warn: () => {} }
  const { db, close } = await openPublicationsDatabase({ databaseUrl, dataDir, databaseConnections: 2, logger })
  const { id: versionId } = await db
    .selectFrom('versions')
    .select('id')
    .where('publication_id', '=', id)
    .executeTakeFirstOrThrow()
  const first = await db.selectFrom('pages').selectAll().where('version_id', '=', versionId).executeTakeFirstOrThrow()
  const words = encodePageContent(content)
  for (let page = 2; page <= pages; page++)
    await db
      .insertInto('pages')
      .values({ ...first, page, text: text(page), words })
      .execute()
  const counts = { page_count: pages, pages_ready: pages }
  await db.updateTable('versions').set(counts).where('id', '=', versionId).execute()
  await close()
  return slug
}
