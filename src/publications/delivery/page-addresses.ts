import { createHmac } from 'node:crypto'
import { isSameText } from '#platform/security/is-same-text.ts'
import { deriveKeys, type Secrets } from '#platform/security/secret.ts'

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
}

/** The parts of an address, not yet verified. */
export type PageAddress = Pick<AddressedPage, 'versionId' | 'epoch' | 'page'> & { mac: string }

/** The facts of a file that verify an address: its publication, and the hash of its bytes. */
type AddressedFile = Pick<AddressedPage, 'publicationId' | 'sha256'>

/** Creates and verifies the addresses of page images, which are capabilities. */
export type PageAddresses = {
  /** Returns `/images/<versionId>/<epoch>-<page>-<mac>`; a suffix `/<width>.<jpg|webp>` selects one form. */
  pathOf(page: AddressedPage): string
  /** Parses the two segments after `/images/`; undefined if they are not those of an address. */
  parse(versionId: string, name: string): PageAddress | undefined
  /**
   * Returns true if this installation created the address for its page of this file. An address of an earlier epoch is
   * genuine, too: what it led to is gone, which is another answer. Takes constant time.
   */
  isGenuine(address: PageAddress, file: AddressedFile): boolean
}

/** 128 bits in base64url: infeasible to guess over a network, and short in lists of thousands of addresses. */
const MAC_LENGTH = 22
/** Numbers in their one canonical form: `1`, never `01`. Nine digits are exact and beyond any page. */
const NAME = new RegExp(`^(0|[1-9]\\d{0,8})-([1-9]\\d{0,8})-([\\w-]{${MAC_LENGTH}})$`)
const VERSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Addresses are listed before anything is rendered, so they contain a keyed hash of the image's inputs instead of a
 * hash of the image: the same file has other addresses in another publication, after being unpublished and in another
 * installation, and no address can be derived from another. A new secret gives pages new addresses; those of the former
 * ones stay valid as long as the secrets are accepted.
 */
export function createPageAddresses(secrets: Secrets): PageAddresses {
  const keys = deriveKeys(secrets, 'page image address')

  /** Hashes a JSON array, which keeps its members apart whatever they contain. */
  function macOf({ publicationId, versionId, sha256, epoch, page }: AddressedPage, key = keys[0]): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([publicationId, versionId, sha256, epoch, page, RENDERER_VERSION]))
      .digest('base64url')
      .slice(0, MAC_LENGTH)
  }

  return {
    pathOf: (page) => `/images/${page.versionId}/${page.epoch}-${page.page}-${macOf(page)}`,

    parse(versionId, name) {
      const [, epoch, page, mac] = (VERSION_ID.test(versionId) && NAME.exec(name)) || []
      return mac === undefined ? undefined : { versionId, epoch: Number(epoch), page: Number(page), mac }
    },

    isGenuine({ mac, ...address }, { publicationId, sha256 }) {
      const matches = keys.filter((key) => isSameText(mac, macOf({ ...address, publicationId, sha256 }, key)))
      return matches.length > 0
    },
  }
}
