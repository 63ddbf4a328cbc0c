import type { AddressSigner } from '#platform/security/signed-address.ts'
import { addressExpired, addressForged } from '../errors.ts'
import type { ReadableFile } from '../storage/reading-store.ts'

/** From its issue on, to the millisecond. */
export const FILE_ADDRESS_LIFETIME_MS = 3_600_000

/** Shown in the browser, or saved as a file. */
export type FileUse = 'inline' | 'attachment'

/** Addresses of PDFs, valid for an hour, for whoever holds them and as often as they like. */
export type FileAddresses = {
  /** An absolute address of a file. */
  issue(file: Pick<ReadableFile, 'versionId' | 'epoch'>, use: FileUse): string
  /** What a request's address grants. @throws addressForged, addressExpired */
  open(method: string, target: string): { epoch: number; use: FileUse }
}

type Parts = { signer: AddressSigner; base: () => string; now: () => number }

/** Only the epoch and the use are signed with the path: what can change, such as the title, is looked up when it is served. */
export function createFileAddresses({ signer, base, now }: Parts): FileAddresses {
  return {
    issue({ versionId, epoch }, use) {
      const path = `/files/${versionId}`
      const expiresAtMs = now() + FILE_ADDRESS_LIFETIME_MS
      return base() + signer.sign({ method: 'GET', path, claims: { epoch, as: use }, expiresAtMs })
    },

    open(method, target) {
      const address = signer.verify(method, target, now())
      if (address.result === 'forged') throw addressForged()
      if (address.result === 'expired') throw addressExpired()
      return { epoch: Number(address.claims.epoch), use: address.claims.as === 'attachment' ? 'attachment' : 'inline' }
    },
  }
}
