import { AppError, type FieldError } from '#platform/basics/errors.ts'

/** A body to read in a thread, by the kind of its reading function. Bytes lose their class on their way. */
export type BodyTask = { kind: string; sent: { body: Uint8Array } }

/** An error as data, since an `AppError` loses its class on its way between threads. */
export type Refusal = { code: string; status: number; message: string; errors?: FieldError[] }

/** Runs a task with the function of its kind. Returns a refusal instead of throwing it. */
export function runBodyTask(
  { kind, sent }: BodyTask,
  readers: Record<string, (sent: never) => object>,
): object | { refusal: Refusal } {
  const body = Buffer.from(sent.body.buffer, sent.body.byteOffset, sent.body.length)
  try {
    return readers[kind]({ ...sent, body } as never)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, status, message, options } = error
    return { refusal: { code, status, message, errors: options.errors } }
  }
}
