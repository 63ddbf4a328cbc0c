/** Why a file is not even sent. */
export type RejectionReason = 'notPdf' | 'empty' | 'tooLarge'

/** A file that the server would not take. */
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

/** Why a file would be refused, as far as its name and size show; undefined where they show nothing. */
export function rejectionReason(
  file: Pick<File, 'name' | 'type' | 'size'>,
  limitBytes: number,
): RejectionReason | undefined {
  if (file.type !== 'application/pdf' && !/\.pdf$/i.test(file.name)) return 'notPdf'
  if (file.size === 0) return 'empty'
  return file.size > limitBytes ? 'tooLarge' : undefined
}

/** What a publication of a file is called at first: the file's name, as it reads. */
export function titleOfFile(name: string): string {
  const title = name
    .replace(/\.pdf$/i, '')
    .replaceAll('_', ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return (title || name).slice(0, 200)
}
