import { defineError } from '#platform/basics/errors.ts'

export const mapFileNotFound = defineError('NOT_FOUND', 404, 'Map file not found.')
export const mapFileInUse = defineError('CONFLICT', 409, 'The map uses this file. Choose another map first.')
export const mapFileTooLarge = defineError('PAYLOAD_TOO_LARGE', 413, 'The file is larger than this server accepts.')
export const mapFileIsEmpty = defineError('BAD_REQUEST', 400, 'The body is empty; it must be the file itself.')
export const mapFileBrokenOff = defineError('BAD_REQUEST', 400, 'The body ended before the file was complete.')
export const mapFileRefused = defineError('UNPROCESSABLE', 422, 'The file cannot be used as a map.')
export const tooManyMapFiles = defineError('CONFLICT', 409, 'There are too many map files. Delete one first.')
