import { defineError } from '#platform/basics/errors.ts'

export const keyMissing = defineError(
  'UNAUTHORIZED',
  401,
  'An API key is required, in the header X-Api-Key or as Authorization: Bearer.',
)
export const keyInvalid = defineError('UNAUTHORIZED', 401, 'The API key is not valid or has ended.')
export const permissionMissing = defineError(
  'FORBIDDEN',
  403,
  'The API key does not have the permission for this request.',
)
export const workspaceNotFound = defineError('NOT_FOUND', 404, 'Workspace not found.')
export const apiKeyNotFound = defineError('NOT_FOUND', 404, 'API key not found.')
export const publicationNotFound = defineError('NOT_FOUND', 404, 'Publication not found.')
export const binnedPublicationNotFound = defineError('NOT_FOUND', 404, 'There is nothing with this id in the bin.')
export const publicationUnpublished = defineError('GONE', 410, 'The publication is unpublished.')
export const downloadNotAllowed = defineError(
  'FORBIDDEN',
  403,
  'The publisher does not offer the PDF of this publication.',
)
export const readerPasswordRequired = defineError(
  'UNAUTHORIZED',
  401,
  'This publication asks for a password: Authorization: Basic with an empty name.',
)
export const readerPasswordWrong = defineError('UNAUTHORIZED', 401, 'The password is wrong.')
export const readerLinkNotFound = defineError('NOT_FOUND', 404, 'Reader link not found.')
export const versionNotFound = defineError('NOT_FOUND', 404, 'Version not found.')
export const versionIsInUse = defineError(
  'CONFLICT',
  409,
  'Readers see this version, or will once it is rendered; only former versions are deleted.',
)
export const tooManyReaderLinks = defineError(
  'CONFLICT',
  409,
  'The publication has 1,000 reader links; revoke some first.',
)
export const uploadNotFound = defineError('NOT_FOUND', 404, 'There is no upload with this storageKey.')
export const pathMismatch = defineError('BAD_REQUEST', 400, 'pdfPath is not the path of this storageKey.')
export const nothingUploaded = defineError('CONFLICT', 409, 'Nothing has been uploaded with this storageKey yet.')
export const uploadIsUsed = defineError(
  'CONFLICT',
  409,
  'This upload already belongs to a publication, which slug names.',
)
export const pathIsTaken = defineError('CONFLICT', 409, 'The path already holds a file; files are never overwritten.')
export const slugIsTaken = defineError('CONFLICT', 409, 'The slug is or was used by another publication.')
export const faceNotFound = defineError('NOT_FOUND', 404, 'The workspace has no public face.')
export const collectionNotFound = defineError('NOT_FOUND', 404, 'Collection not found.')
export const collectionSlugIsTaken = defineError(
  'CONFLICT',
  409,
  'The slug is or was used by another collection of the workspace.',
)
export const tooManyCollections = defineError('CONFLICT', 409, 'The workspace has 100 collections; delete some first.')
export const shelfNotFound = defineError('NOT_FOUND', 404, 'Shelf not found.')
export const shelfSlugIsTaken = defineError('CONFLICT', 409, 'The slug is or was used by another shelf.')
export const domainIsTaken = defineError('CONFLICT', 409, 'Another workspace uses this domain.')
export const domainIsOurs = defineError('CONFLICT', 409, 'The domain is a host name of this server itself.')
export const logoRefused = defineError('UNPROCESSABLE', 422, 'The file cannot be used as a logo.')
export const notLogoType = defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'Content-Type must be image/png, image/jpeg or image/webp.',
)
export const addressForged = defineError('FORBIDDEN', 403, 'The address was altered, or was not issued by this server.')
export const addressExpired = defineError('GONE', 410, 'The address has expired; ask for a new one.')
export const ticketUsed = defineError('CONFLICT', 409, 'The upload ticket has been used; ask for a new one.')
export const uploadInProgress = defineError(
  'CONFLICT',
  409,
  'Another upload with this ticket is under way. Wait for its end, or try again when its connection is lost.',
)
export const wrongOffset = defineError(
  'CONFLICT',
  409,
  'Upload-Offset is not the number of bytes that this server has. Ask for it with HEAD, and go on from there.',
)
export const uploadReplaced = defineError('CONFLICT', 409, 'A newer request continues this upload.')
export const checksumMismatch = defineError('CHECKSUM_MISMATCH', 460, 'The body does not have this Upload-Checksum.')
export const tusVersionUnknown = defineError('PRECONDITION_FAILED', 412, 'Tus-Resumable must be 1.0.0.')
export const notOffsetType = defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'Content-Type must be application/offset+octet-stream.',
)
export const tooManyUploads = defineError('RATE_LIMIT', 429, 'Too many uploads are under way. Wait for one to end.')
export const tooManyTickets = defineError(
  'RATE_LIMIT',
  429,
  'Too many upload tickets are outstanding. Use them, or wait until they expire.',
)
export const publicationsQuotaReached = defineError(
  'FORBIDDEN',
  403,
  'The workspace has reached its limit of publications.',
)
export const bytesQuotaReached = defineError('FORBIDDEN', 403, 'The workspace has reached its limit of stored bytes.')
export const uploadTooLarge = defineError('PAYLOAD_TOO_LARGE', 413, 'The file is larger than this server accepts.')
export const notPdfType = defineError('UNSUPPORTED_MEDIA_TYPE', 415, 'Content-Type must be application/pdf.')
export const notImagesType = defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'Content-Type must be application/zip, application/vnd.comicbook+zip, or image/jpeg, png, webp, avif or tiff.',
)
export const uploadIsEmpty = defineError('BAD_REQUEST', 400, 'The body is empty; it must be the file itself.')
export const uploadBrokenOff = defineError('BAD_REQUEST', 400, 'The body ended before the file was complete.')
export const notPdf = defineError('UNPROCESSABLE', 422, 'The file is not a PDF.')
export const sourceRefused = defineError('UNPROCESSABLE', 422, 'No pages can be made of the file.')
export const sourceMismatch = defineError('BAD_REQUEST', 400, 'sourceType is not that of the upload.')
export const documentRefused = defineError('UNPROCESSABLE', 422, 'The file cannot be published.')
export const publicationNotRendered = defineError(
  'CONFLICT',
  409,
  'The publication is exported once all of its pages are rendered.',
)
export const imageNotReady = defineError('UNAVAILABLE', 503, 'The page is still being rendered; ask again.')
