/** The reason why a file is not sent. */
type RejectionReason = 'notPdf' | 'empty' | 'tooLarge'

/** A file that the server would refuse. */
export class RejectedFile extends Error {
  readonly why: RejectionReason
  readonly limitBytes: number

  constructor(why: RejectionReason, limitBytes: number) {
    super(why)
    this.name = 'RejectedFile'
    this.why = why
    this.limitBytes = limitBytes
  }
}

/** Returns the reason to refuse a file, as far as its name and size tell; undefined if they tell none. */
export function rejectionReason(
  file: Pick<File, 'name' | 'type' | 'size'>,
  limitBytes: number,
): RejectionReason | undefined {
  if (file.type !== 'application/pdf' && !/\.pdf$/i.test(file.name)) return 'notPdf'
  if (file.size === 0) return 'empty'
  return file.size > limitBytes ? 'tooLarge' : undefined
}

/** Returns the title of a publication whose file states none: the file's name in readable form. */
export function titleOfFile(name: string): string {
  const title = name
    .replace(/\.pdf$/i, '')
    .replaceAll('_', ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return (title || name).slice(0, 200)
}
