import { readFile } from 'node:fs/promises'
import { BackupError } from '../backup-error.ts'

/** Long, because those who have the folder can try passphrases without a limit. */
const MIN_PASSPHRASE_LENGTH = 16

/**
 * Reads a passphrase from a file with one line; undefined without a file.
 * @throws BackupError
 */
export async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new BackupError(`The passphrase cannot be read: ${(cause as Error).message}`, { cause })
  })
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase.length < MIN_PASSPHRASE_LENGTH || passphrase.includes('\n'))
    throw new BackupError(`${path} must have one line, a passphrase of at least ${MIN_PASSPHRASE_LENGTH} characters`)
  return passphrase
}
