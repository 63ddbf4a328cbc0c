import { client } from '../generated/client.gen.ts'
import type {
  ExportAuditLogData,
  GetLatestFrameData,
  GetSharedResultsData,
  OperatorExportEventData,
  OperatorExportPublicationData,
  OperatorExportTrackData,
  OperatorGetFiguresData,
  OperatorGetLatestFrameData,
  OperatorGetLibraryFiguresData,
  OperatorGetResultsData,
  OperatorImportTracksData,
  OperatorListReaderLinksData,
  OperatorWatchLibraryData,
  UploadMapFileData,
} from '../generated/types.gen.ts'
import type { AuditFilter } from './queries.ts'

// Addresses of downloads, streams and uploads, which the generated client does not request.

type ExportFormat = NonNullable<OperatorExportTrackData['query']>['format']

/** Returns the address of a track's download. */
export function exportAddress(id: string, format: ExportFormat): string {
  const url = '/operator/tracks/{id}/export'
  return client.buildUrl<OperatorExportTrackData>({ url, path: { id }, query: { format } })
}

/** Returns the address of the archive of all tracks of an event. */
export function archiveAddress(id: string, format: ExportFormat): string {
  const url = '/operator/events/{id}/export'
  return client.buildUrl<OperatorExportEventData>({ url, path: { id }, query: { format } })
}

/** Returns the address of a publication's folder for reading without a server. */
export function offlineAddress(id: string): string {
  return client.buildUrl<OperatorExportPublicationData>({ url: '/operator/publications/{id}/offline', path: { id } })
}

/** Returns the address of a download of the audit log. */
export function auditExportAddress(filter: AuditFilter, format: ExportAuditLogData['query']['format']): string {
  return client.buildUrl<ExportAuditLogData>({ url: '/operator/audit/export', query: { ...filter, format } })
}

/** Returns the address of the results of an event as a table for a spreadsheet in a language. */
export function resultsAddress(id: string, lang: string): string {
  const url = '/operator/events/{id}/results'
  return client.buildUrl<OperatorGetResultsData>({ url, path: { id }, query: { format: 'csv', lang } })
}

/** Returns the address of the results behind a share link as a table for a spreadsheet in a language. */
export function sharedResultsAddress(token: string, lang: string): string {
  const url = '/shares/{token}/results'
  return client.buildUrl<GetSharedResultsData>({ url, path: { token }, query: { format: 'csv', lang } })
}

const LATEST = /\/latest$/

/** Returns the address of the frames of an event. */
export function eventFrames(id: string): string {
  const url = '/operator/events/{id}/frames/latest'
  return client.buildUrl<OperatorGetLatestFrameData>({ url, path: { id } }).replace(LATEST, '')
}

/** Returns the address of the frames behind a share link. */
export function shareFrames(token: string): string {
  const url = '/shares/{token}/frames/latest'
  return client.buildUrl<GetLatestFrameData>({ url, path: { token } }).replace(LATEST, '')
}

/** Returns the address of the stream of changes in a workspace. */
export function libraryStream(id: string): string {
  return client.buildUrl<OperatorWatchLibraryData>({ url: '/operator/workspaces/{id}/live', path: { id } })
}

/** Returns the address of a publication's reading figures of each day since the given one, as CSV. */
export function publicationFiguresAddress(id: string, from: string): string {
  const url = '/operator/publications/{id}/figures'
  return client.buildUrl<OperatorGetFiguresData>({ url, path: { id }, query: { from, format: 'csv' } })
}

/** Returns the address of the reading figures of a workspace's publications as a table. */
export function figuresAddress(id: string): string {
  const url = '/operator/workspaces/{id}/figures'
  return client.buildUrl<OperatorGetLibraryFiguresData>({ url, path: { id }, query: { format: 'csv' } })
}

/** Returns the address of the reader links of a publication, with their figures, as a table. */
export function readerLinksAddress(id: string): string {
  const url = '/operator/publications/{id}/links'
  return client.buildUrl<OperatorListReaderLinksData>({ url, path: { id }, query: { format: 'csv' } })
}

/** Returns the address that takes a map file. */
export function mapUploadAddress(fileName: string): string {
  const url = '/operator/map/files'
  return client.buildUrl<Pick<UploadMapFileData, 'query' | 'url'>>({ url, query: { name: fileName.slice(-200) } })
}

/** Returns the address that takes recordings of an event. */
export function importAddress(eventId: string): string {
  const url = '/operator/events/{id}/import'
  return client.buildUrl<Pick<OperatorImportTracksData, 'path' | 'url'>>({ url, path: { id: eventId } })
}
