import { AppError, RETRY_SOON_SEC, unavailable } from '../basics/errors.ts'

/** Reasons by code, for errors of the file system and of connections. */
const SYSTEM_FAILURES: Record<string, string> = {
  EACCES: 'The storage refuses access.',
  EDQUOT: 'The storage is full.',
  EEXIST: 'There is a file where the storage needs a folder.',
  EFBIG: 'The file is larger than the storage takes.',
  EIO: "The storage's disk failed.",
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.',
  ENOSPC: 'The storage is full.',
  ENOENT: 'The storage folder is not there.',
  ENOTDIR: 'There is a file where the storage needs a folder.',
  EPERM: 'The storage refuses access.',
  EROFS: 'The storage can only be read.',
  ESTALE: 'The storage cannot be reached.',
  EAI_AGAIN: 'The storage cannot be reached.',
  ECONNABORTED: 'The storage cannot be reached.',
  ECONNREFUSED: 'The storage cannot be reached.',
  ECONNRESET: 'The storage cannot be reached.',
  EHOSTUNREACH: 'The storage cannot be reached.',
  ENETUNREACH: 'The storage cannot be reached.',
  ENOTFOUND: 'The storage cannot be reached.',
  EPIPE: 'The storage cannot be reached.',
  ETIMEDOUT: 'The storage cannot be reached.',
}

/**
 * Reasons by name, for errors of S3 and its client
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
 */
const S3_FAILURES: Record<string, string> = {
  AbortError: 'The storage took too long.',
  AccessDenied: 'The storage refuses access.',
  CredentialsProviderError: 'There are no credentials for the storage.',
  ExpiredToken: 'The storage refuses the credentials.',
  InvalidAccessKeyId: 'The storage refuses the credentials.',
  NoSuchBucket: 'The storage bucket does not exist.',
  PermanentRedirect: 'The storage bucket is in another region.',
  QuotaExceeded: 'The storage is full.',
  RequestTimeTooSkewed: 'The clock differs from that of the storage.',
  SignatureDoesNotMatch: 'The storage refuses the credentials.',
  SlowDown: 'The storage is busy.',
  TimeoutError: 'The storage took too long.',
  XMinioStorageFull: 'The storage is full.',
}

/** Reasons by HTTP status, for responses without a body, such as responses to HEAD. */
const STATUS_FAILURES: Record<number, string> = {
  301: 'The storage bucket is in another region.',
  401: 'The storage refuses the credentials.',
  403: 'The storage refuses access.',
  404: 'The storage bucket does not exist.',
  409: 'The storage is busy.',
  412: 'The storage is busy.',
  429: 'The storage is busy.',
  503: 'The storage is busy.',
  507: 'The storage is full.',
}

/** Errors made here, to distinguish them from errors of other parts, which look the same. */
const failures = new WeakSet<AppError>()

/** Makes an UNAVAILABLE error that `isBlobsUnavailable` recognises. */
export function blobsUnavailable(detail: string, cause?: unknown): AppError {
  const failure = unavailable({ detail, cause, retryAfterSec: RETRY_SOON_SEC })
  failures.add(failure)
  return failure
}

/**
 * Tells whether an operation failed because the store cannot be used right now: it is gone, full, broken or too busy.
 */
export function isBlobsUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && failures.has(error)
}

/**
 * Turns an error of the file system or of S3 into UNAVAILABLE, with the reason in words and the error as its cause, if
 * it means that the store cannot be used right now. Returns any other error unchanged.
 */
export function translateBlobFailure(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const detail = failureDetail(error)
  return detail === undefined ? error : blobsUnavailable(detail, error)
}

type FailedCall = Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }

function failureDetail(error: FailedCall): string | undefined {
  const named = S3_FAILURES[error.name]
  if (named !== undefined) return named
  if (typeof error.code === 'string' && SYSTEM_FAILURES[error.code] !== undefined) return SYSTEM_FAILURES[error.code]
  const status = error.$metadata?.httpStatusCode ?? 0
  return STATUS_FAILURES[status] ?? (status >= 500 ? 'The storage failed.' : undefined)
}

/** Runs an operation on the store and translates its errors. */
export async function onStore<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw translateBlobFailure(error)
  }
}
