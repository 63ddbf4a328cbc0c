import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Kysely } from 'kysely'
import { announceEndedTokens, isValidAt, newToken, rememberTokens, tokenHash } from '#platform/credentials/token.ts'
import type { Notices } from '#platform/database/notices.ts'
import { countRows } from '#platform/database/queries.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { readerLinkNotFound, tooManyReaderLinks } from './errors.ts'
import type { ReaderPasswords } from './reader-passwords.ts'
import type { Reader } from './reading.ts'
import { ownSites } from './sites.ts'
import type { PublicationsTables, ReaderLinkRow } from './tables.ts'

/** A request as far as it says where it reads, and which link its reader holds. */
type ReadingRequest = { url: string; headers: IncomingHttpHeaders; ip: string; raw: IncomingMessage }

/** The choices of publishers about a link. */
export type ReaderLinkRules = Pick<ReaderLinkRow, 'name' | 'expires_at' | 'password_hash' | 'allow_download'>

/** Links that a publication may have at a time. */
const MAX_LINKS = 1_000
/** Characters of a token's hash that identify its link; they open nothing. */
const ID_LENGTH = 32
const TOKEN = /^lnk_[\w-]{43}$/
export const LINK_COOKIE = 'trackpress_link'
const COOKIE = new RegExp(`(?:^|;\\s*)${LINK_COOKIE}=(lnk_[\\w-]{43})(?:;|$)`)

/** Links that let their holders read a publication. */
export type ReaderLinks = ReturnType<typeof createReaderLinks>

export function createReaderLinks(
  db: Kysely<PublicationsTables>,
  passwords: ReaderPasswords,
  notices: Notices | undefined,
  now: () => number,
) {
  const find = rememberTokens(
    async (id: string) => await db.selectFrom('reader_links').selectAll().where('id', '=', id).executeTakeFirst(),
    notices,
    now,
  )

  /** Returns the right that the link with an id gives now; undefined once it is revoked or has ended. */
  async function grantOf(id: string): Promise<(NonNullable<Reader['grant']> & { sha256: string }) | undefined> {
    const row = await find(id)
    if (row === undefined || !isValidAt(row, now())) return undefined
    const { publication_id: publicationId, is_preview, expires_at: expiresAtMs, token_sha256: sha256 } = row
    const { password_hash: passwordHash, allow_download: allowDownload } = row
    return { linkId: id, publicationId, isPreview: is_preview === 1, expiresAtMs, passwordHash, allowDownload, sha256 }
  }

  return {
    /** Returns the reader that an address with the id of a link stands for now; the address must be genuine. */
    async holding(id: string | undefined): Promise<Reader> {
      return { nowMs: now(), grant: id === undefined ? undefined : await grantOf(id) }
    },

    /** Returns the reader of a request, by the link in its address, its `Authorization` or its cookie. */
    async of(request: ReadingRequest): Promise<Reader> {
      const token = linkToken(request)
      const requirePassword: Reader['requirePassword'] = (lock) => passwords.require(lock, request)
      const asking = { nowMs: now(), workspaceId: ownSites.get(request.raw)?.workspaceId, requirePassword }
      if (token === undefined) return asking
      const sha256 = tokenHash(token)
      const grant = await grantOf(sha256.slice(0, ID_LENGTH))
      return { ...asking, nowMs: now(), grant: grant?.sha256 === sha256 ? grant : undefined }
    },

    /** Creates a link. @returns it with its token, which is not stored @throws tooManyReaderLinks */
    async create(
      publicationId: string,
      { isPreview, ...given }: { isPreview: boolean } & ReaderLinkRules,
    ): Promise<{ row: ReaderLinkRow; token: string }> {
      const links = db.selectFrom('reader_links').where('publication_id', '=', publicationId)
      if ((await countRows(links)) >= MAX_LINKS) throw tooManyReaderLinks()
      const token = newToken('lnk')
      const token_sha256 = tokenHash(token)
      const row = {
        id: token_sha256.slice(0, ID_LENGTH),
        publication_id: publicationId,
        token_sha256,
        is_preview: isPreview ? 1 : 0,
        created_at: now(),
        ...given,
      }
      await db.insertInto('reader_links').values(row).execute()
      return { row, token }
    },

    /** Returns the links of a publication, newest first. */
    async list(publicationId: string): Promise<ReaderLinkRow[]> {
      return await db
        .selectFrom('reader_links')
        .selectAll()
        .where('publication_id', '=', publicationId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
    },

    /**
     * Changes a link: when it resolves, every instance goes by the new rules. Another password ends the addresses that
     * readers of the publication hold; their pages ask for new ones. @throws readerLinkNotFound
     */
    async change(publicationId: string, id: string, change: Partial<ReaderLinkRules>): Promise<ReaderLinkRow> {
      const changed = await changeLink(db, { publicationId, id }, change)
      await announceEndedTokens(notices, publicationId)
      return changed
    },

    /** Ends a link, and forgets its figures: when it resolves, no instance accepts it. @throws readerLinkNotFound */
    async revoke(publicationId: string, id: string): Promise<void> {
      const { numDeletedRows } = await db
        .deleteFrom('reader_links')
        .where('id', '=', id)
        .where('publication_id', '=', publicationId)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw readerLinkNotFound()
      await announceEndedTokens(notices, publicationId)
      await forgetFigures(db, [id])
    },
  }
}

/** Removes the figures of links, or of publications, by their ids. */
export async function forgetFigures(db: Kysely<PublicationsTables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('reading_figures').where('publication_id', 'in', ids).execute()
  await db.deleteFrom('day_readers').where('publication_id', 'in', ids).execute()
}

function linkToken({ url, headers: { authorization, cookie } }: ReadingRequest): string | undefined {
  const inAddress = url.includes('link=') ? URL.parse(url, 'http://localhost')?.searchParams.get('link') : undefined
  const given = inAddress ?? /^Bearer (lnk_\S+)$/i.exec(authorization ?? '')?.[1] ?? COOKIE.exec(cookie ?? '')?.[1]
  return given != null && TOKEN.test(given) ? given : undefined
}

/** Changes a link. Another password begins another epoch of its publication. @throws readerLinkNotFound */
async function changeLink(
  db: Kysely<PublicationsTables>,
  { publicationId, id }: { publicationId: string; id: string },
  change: Partial<ReaderLinkRules>,
): Promise<ReaderLinkRow> {
  return await inTransaction(db, async (transaction) => {
    const row = await transaction
      .updateTable('reader_links')
      .set({ id, ...change })
      .where('id', '=', id)
      .where('publication_id', '=', publicationId)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw readerLinkNotFound()
    if (change.password_hash !== undefined)
      await transaction
        .updateTable('publications')
        .set((set) => ({ epoch: set('epoch', '+', 1) }))
        .where('id', '=', publicationId)
        .execute()
    return row
  })
}
