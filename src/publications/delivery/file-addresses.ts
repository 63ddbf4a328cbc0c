import type { AddressSigner } from '#platform/security/signed-address.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { addressExpired, addressForged } from '../errors.ts'
import type { VersionFile } from '../storage/files-store.ts'

/** Lifetime of an address from its issue, to the millisecond. */
const FILE_ADDRESS_LIFETIME_MS = 3_600_000

/** Shown in the browser, or saved as a file. */
export type FileUse = 'inline' | 'attachment'

/** Signed addresses of PDFs, valid for an hour for everyone who has them, any number of times. */
export type FileAddresses = {
  /** Issues an absolute address of a file. */
  issue(file: Pick<VersionFile, 'versionId' | 'epoch'>, use: FileUse): string
  /** Returns what a request's address grants. @throws addressForged, addressExpired */
  open(method: string, target: string): { epoch: number; use: FileUse }
}

type Deps = { signer: AddressSigner; cdn: () => string; now: () => number }

/**
 * Signs only the path, the epoch and the use: what can change, such as the title, is looked up when the file is served.
 */
export function createFileAddresses({ signer, cdn, now }: Deps): FileAddresses {
  return {
    issue({ versionId, epoch }, use) {
      const path = `/files/${versionId}`
      const expiresAtMs = now() + FILE_ADDRESS_LIFETIME_MS
      return cdn() + signer.sign({ method: 'GET', path, claims: { epoch, as: use }, expiresAtMs })
    },

    open(method, target) {
      const address = signer.verify(method, target, now())
      if (address.result === 'forged')
        throw addressForged({ refused: { kind: 'signed_address', sha256: tokenHash(target) } })
      if (address.result === 'expired') throw addressExpired()
      return { epoch: Number(address.claims.epoch), use: address.claims.as === 'attachment' ? 'attachment' : 'inline' }
    },
  }
}
