import { UsageError } from '../command.ts'

/** Thrown when a backup cannot be made, read or restored, for a reason that the operator can act on. */
export class BackupError extends UsageError {
  override name = 'BackupError'
}
