import { Upload } from 'tus-js-client'

/** Time between attempts, of which there are enough for a server that is started again. */
const RETRY_DELAYS_MS = Array.from({ length: 200 }, () => 100)

/** Longest silence of the client, after which the upload is begun again where it stopped. */
const SILENCE_MS = 20_000

/**
 * Uploads a file with tus-js-client, which goes on by itself.
 * @param onRequest called before each request that sends bytes, with its offset
 * @returns the offsets at which requests began
 */
export async function uploadByTus(
  uploadUrl: string,
  file: Buffer,
  onRequest: (offset: number) => void = () => {},
): Promise<number[]> {
  const offsets: number[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let silence: NodeJS.Timeout | undefined
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => void upload.abort().then(() => upload.start(), reject), SILENCE_MS)
  }
  const upload = new Upload(file, {
    uploadUrl,
    uploadLengthDeferred: true,
    retryDelays: RETRY_DELAYS_MS,
    storeFingerprintForResuming: false,
    onProgress: heard,
    onAfterResponse: heard,
    onBeforeRequest(request) {
      heard()
      if (request.getMethod() !== 'PATCH') return
      const offset = Number(request.getHeader('Upload-Offset'))
      offsets.push(offset)
      onRequest(offset)
    },
    onSuccess: () => resolve(),
    onError: reject,
  })
  upload.start()
  await promise.finally(() => clearTimeout(silence))
  return offsets
}
