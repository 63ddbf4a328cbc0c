import { createHmac } from 'node:crypto'
import { notFound } from '#platform/basics/errors.ts'
import { deriveKeys, isSameText, type Secrets } from '#platform/basics/secrets.ts'
import type { AddressSigner } from '#platform/credentials/signed-address.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import { hostName, hostNameOf } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressExpired, addressForged } from '../model/errors.ts'
import type { VersionFile } from '../model/files-store.ts'
import { addressesEnd, type Opened } from '../model/reading.ts'

/**
 * Part of every page's address, so that browsers and a CDN, which keep images for a year, fetch them again when
 * rendering changes. Increase it with every change to what is drawn, its size or its encoding, and only then.
 */
const RENDERER_VERSION = 1

/** The page that an address stands for: of one file of one publication, in one period of being published. */
export type AddressedPage = {
  publicationId: string
  versionId: string
  /** Of the PDF, in hexadecimal. */
  sha256: string
  /** Increases when the publication is unpublished. */
  epoch: number
  /** The first is 1. */
  page: number
  /** End of the address; undefined if it has none. */
  untilMs?: number
  /** The reader link for which the address was issued, and with which it ends. */
  linkId?: string
}

/** The parts of an address, not yet verified. */
export type PageAddress = Pick<AddressedPage, 'versionId' | 'epoch' | 'page' | 'untilMs' | 'linkId'> & { mac: string }

/** The facts of a file that verify an address: its publication, and the hash of its bytes. */
type AddressedFile = Pick<AddressedPage, 'publicationId' | 'sha256'>

/** Creates and verifies the addresses of page images, which are capabilities. */
export type PageAddresses = ReturnType<typeof createPageAddresses>

/** 128 bits in base64url: infeasible to guess over a network, and short in lists of thousands of addresses. */
const MAC_LENGTH = 22
/** Numbers in their one canonical form: `1`, never `01`. Nine digits are exact and beyond any page. */
const NAME = new RegExp(
  `^(0|[1-9]\\d{0,8})-([1-9]\\d{0,8})-([\\w-]{${MAC_LENGTH}})(?:~([1-9]\\d{0,15})(?:~([\\da-f]{32}))?)?$`,
)
const VERSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Addresses are listed before anything is rendered, so they contain a keyed hash of the image's inputs instead of a
 * hash of the image: the same file has other addresses in another publication, after being unpublished and in another
 * installation, and no address can be derived from another. A new secret gives pages new addresses; those of the former
 * ones stay valid as long as the secrets are accepted.
 */
export function createPageAddresses(secrets: Secrets) {
  const keys = deriveKeys(secrets, 'page image address')

  /** Hashes a JSON array, which keeps its members apart over any content. */
  function macOf(
    { publicationId, versionId, sha256, epoch, page, untilMs, linkId }: AddressedPage,
    key = keys[0],
  ): string {
    const inputs = [publicationId, versionId, sha256, epoch, page, RENDERER_VERSION]
    return createHmac('sha256', key)
      .update(
        JSON.stringify(
          untilMs === undefined ? inputs : [...inputs, untilMs, ...(linkId === undefined ? [] : [linkId])],
        ),
      )
      .digest('base64url')
      .slice(0, MAC_LENGTH)
  }

  return {
    /**
     * Returns `/images/<versionId>/<epoch>-<page>-<mac>`, with `~<untilMs>` if the address has an end, and `~<linkId>`
     * if it is for a reader link; a suffix `/<width>.<jpg|webp>` selects one form.
     */
    pathOf(page: AddressedPage): string {
      const link = page.linkId === undefined ? '' : `~${page.linkId}`
      const end = page.untilMs === undefined ? '' : `~${page.untilMs}${link}`
      return `/images/${page.versionId}/${page.epoch}-${page.page}-${macOf(page)}${end}`
    },

    /** Parses the two segments after `/images/`; undefined if they are no address of an image. */
    parse(versionId: string, name: string): PageAddress | undefined {
      const [, epoch, page, mac, until, linkId] = (VERSION_ID.test(versionId) && NAME.exec(name)) || []
      if (mac === undefined) return undefined
      const end = until === undefined ? {} : { untilMs: Number(until), ...(linkId !== undefined && { linkId }) }
      return { versionId, epoch: Number(epoch), page: Number(page), mac, ...end }
    },

    /**
     * Returns true if this installation created the address for its page of this file. An address of an earlier epoch
     * is genuine, too: what it led to is gone, which is another answer. Takes constant time.
     */
    isGenuine({ mac, ...address }: PageAddress, { publicationId, sha256 }: AddressedFile): boolean {
      const matches = keys.filter((key) => isSameText(mac, macOf({ ...address, publicationId, sha256 }, key)))
      return matches.length > 0
    },
  }
}

/** Lifetime of an address from its issue, to the millisecond. */
const FILE_ADDRESS_LIFETIME_MS = 3_600_000

/** Shown in the browser, or saved as a file. */
export type FileUse = 'inline' | 'attachment'

/** A file with the reader link for which an address of it is issued. */
type IssuedFile = Pick<VersionFile, 'versionId' | 'epoch'> & Opened

/** Signed addresses of PDFs, valid for an hour at most for everyone who has them, any number of times. */
export type FileAddresses = ReturnType<typeof createFileAddresses>

/**
 * Signs only the path, the epoch and the use: what can change, such as the title, is looked up when the file is served.
 */
export function createFileAddresses(signer: AddressSigner, cdn: () => string, now: () => number) {
  return {
    /** Issues an absolute address of a file: for an hour, or for minutes if the file is not for everyone. */
    issue({ versionId, epoch, ...opened }: IssuedFile, use: FileUse): string {
      const path = `/files/${versionId}`
      const expiresAtMs = addressesEnd(opened, now()) ?? now() + FILE_ADDRESS_LIFETIME_MS
      return (
        cdn() +
        signer.sign({
          method: 'GET',
          path,
          claims: { epoch, as: use, ...(opened.linkId !== undefined && { link: opened.linkId }) },
          expiresAtMs,
        })
      )
    },

    /**
     * Returns the grant in a request's address.
     * @throws addressForged, addressExpired
     */
    open(method: string, target: string): { epoch: number; use: FileUse; linkId?: string } {
      const address = signer.verify(method, target, now())
      if (address.result === 'forged')
        throw addressForged({ refused: { kind: 'signed_address', sha256: tokenHash(target) } })
      if (address.result === 'expired') throw addressExpired()
      const { epoch, as, link } = address.claims
      const use = as === 'attachment' ? 'attachment' : 'inline'
      return { epoch: Number(epoch), use, ...(link !== undefined && { linkId: link }) }
    },
  }
}

/**
 * Redirects requests of this scope from the dashboard's host name to `cdnUrl`, if that has a name of its
 * own: files come from strangers, and a script in one of them would share an origin with the dashboard. A
 * redirect keeps the addresses that were issued before `cdnUrl` was set. Under any other name files are
 * sent, because a CDN may fetch them by one.
 * @param cdnUrl address of file delivery; empty if none is set
 * @param dashboardHost undefined if the dashboard answers under any name
 */
export function restrictToCdn(app: HttpServer, cdnUrl: string, dashboardHost: string | undefined): void {
  if (cdnUrl === '' || dashboardHost === undefined || hostNameOf(cdnUrl) === dashboardHost) return
  app.addHook('onRequest', (request, reply, done) => {
    if (hostName(request.host) !== dashboardHost) return done()
    const target = request.raw.url!
    // The target may be a whole URL (RFC 9112, 3.2.2).
    if (!target.startsWith('/')) return done(notFound())
    reply
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .redirect(cdnUrl + target, 307)
  })
}
