import { S3ServiceException } from '@aws-sdk/client-s3'

/** Makes a handler for `catch` that returns this for a missing object and rethrows any other error. */
export function ifNotFound<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    // The response to HEAD has no body, so the error has no name of its own.
    if (isAnswer(error, 404) && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)) return fallback
    throw error
  }
}

/** Tells whether a call got this HTTP status. */
export function isAnswer(error: unknown, status: number): error is S3ServiceException {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status
}
