import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#platform/security/secret.ts'

/**
 * Part of every page's address, so that browsers and a CDN, which keep images for a year, ask anew where pages would
 * come out different. Moves with what is drawn, its size or its encoding, and never by itself.
 */
export const RENDERER_VERSION = 1

/** What the address of a page stands for: a page of one file of one publication, in one period of its being public. */
export type AddressedPage = {
  publicationId: string
  versionId: string
  /** Of the PDF, in hexadecimal. */
  sha256: string
  /** Moves when the publication is withdrawn. */
  epoch: number
  /** The first is 1. */
  page: number
}

/** What an address says by itself, before anything is looked up; whether it is genuine is still to be found out. */
export type PageAddress = Pick<AddressedPage, 'versionId' | 'epoch' | 'page'> & { mac: string }

/** What the file of an address is looked up for: its publication, and the hash of its bytes. */
export type AddressedFile = Pick<AddressedPage, 'publicationId' | 'sha256'>

/** Makes the addresses of page images, which are capabilities, and knows its own again. */
export type PageAddresses = {
  /** `/images/<versionId>/<epoch>-<page>-<mac>`, the page's image; `/<width>.<jpg|webp>` behind it fixes one. */
  pathOf(page: AddressedPage): string
  /** Takes the two parts behind `/images/` apart; undefined where no address looks like that. */
  read(versionId: string, name: string): PageAddress | undefined
  /**
   * Whether the address was made here, for its page of this file. One of an earlier epoch is genuine as well: what it
   * led to is gone, which is another answer. Takes as long whatever is wrong with it.
   */
  isGenuine(address: PageAddress, file: AddressedFile): boolean
}

/** 128 bits in base64url: what one cannot guess over a network, in addresses that come by the thousand. */
const MAC_LENGTH = 22
/** Numbers as they are written here and in no other way: `1`, never `01`. Nine digits are exact and beyond any page. */
const NAME = new RegExp(`^(0|[1-9]\\d{0,8})-([1-9]\\d{0,8})-([\\w-]{${MAC_LENGTH}})$`)
const VERSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Addresses are listed before anything is rendered, so they are not hashes of images but keyed ones of what the image
 * follows from: the same file has other addresses in another publication, after a withdrawal and in another
 * installation, and nobody can work one out from a page they know.
 */
export function createPageAddresses(secret: Buffer): PageAddresses {
  const key = deriveKey(secret, 'page image address')

  /** The JSON array keeps its members apart whatever is in them. */
  function macOf({ publicationId, versionId, sha256, epoch, page }: AddressedPage): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([publicationId, versionId, sha256, epoch, page, RENDERER_VERSION]))
      .digest('base64url')
      .slice(0, MAC_LENGTH)
  }

  return {
    pathOf: (page) => `/images/${page.versionId}/${page.epoch}-${page.page}-${macOf(page)}`,

    read(versionId, name) {
      const [, epoch, page, mac] = (VERSION_ID.test(versionId) && NAME.exec(name)) || []
      return mac === undefined ? undefined : { versionId, epoch: Number(epoch), page: Number(page), mac }
    },

    isGenuine({ mac, ...address }, { publicationId, sha256 }) {
      const given = Buffer.from(mac)
      const expected = Buffer.from(macOf({ ...address, publicationId, sha256 }))
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
