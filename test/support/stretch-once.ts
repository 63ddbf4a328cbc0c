import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Importing this lets the process stretch the passphrase of each folder of backups once, at its real cost: a third of a
// second, which each opening of the folder would take again.

const { scrypt } = crypto
const known = new Map<string, Buffer>()

function remembering(
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void {
  const name = JSON.stringify([password, salt, length, options])
  const found = known.get(name)
  if (found !== undefined) return void setImmediate(done, null, Buffer.from(found))
  scrypt(password, salt, length, options, (error, key) => {
    if (error === null) known.set(name, Buffer.from(key))
    done(error, key)
  })
}

crypto.scrypt = remembering as typeof crypto.scrypt
syncBuiltinESMExports()
