import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { importAddress } from '../api/addresses.ts'
import { ApiError, hasStatus } from '../api/api-error.ts'
import { aboutKey } from '../api/query-client.ts'
import { sendFile } from '../api/request.ts'
import { isUnderWay, TransferQueue, useTransferEffects, useTransfers } from '../components/transfer-queue.ts'
import type { ImportedTrack, TracksImported } from '../generated/types.gen.ts'

/** The state of an import: `reading` while the server reads the complete file, `known` if it was imported before. */
type ImportPhase = 'waiting' | 'sending' | 'reading' | 'done' | 'known' | 'failed'

/** A file that is imported into an event. */
export type FileImport = {
  id: number
  eventId: string
  file: File
  phase: ImportPhase
  sentBytes: number
  error: unknown
  /** The tracks made of the file. */
  tracks: readonly ImportedTrack[]
  /** The track that the file made before. */
  knownTrackId: string | undefined
}

type Progress = { signal: AbortSignal; onSent(sentBytes: number): void }

/** Imports a recording into an event; its content tells the format. Throws like {@link sendFile}. */
export async function importFile(eventId: string, file: File, progress: Progress): Promise<TracksImported> {
  const type = 'application/octet-stream'
  return JSON.parse(await sendFile('POST', importAddress(eventId), file, { ...progress, type })) as TracksImported
}

/** Imports files into events. The server reads them one after the other. */
export class ImportQueue extends TransferQueue<FileImport> {
  readonly #importFile: typeof importFile

  constructor(send: typeof importFile = importFile) {
    super()
    this.#importFile = send
  }

  add(eventId: string, files: readonly File[]): void {
    this.append(files.map((file) => ({ eventId, file, tracks: [], knownTrackId: undefined })))
  }

  protected async send({ id, eventId, file }: FileImport, signal: AbortSignal): Promise<Partial<FileImport>> {
    const onSent = (sentBytes: number) =>
      this.change(id, { sentBytes, phase: sentBytes < file.size ? 'sending' : 'reading' })
    try {
      const { tracks } = await this.#importFile(eventId, file, { signal, onSent })
      return { phase: 'done', tracks }
    } catch (error) {
      if (isKnown(error)) return { phase: 'known', knownTrackId: knownTrackId(error) }
      throw error
    }
  }
}

/** The imports of this window, into all events. */
export const importQueue = new ImportQueue()

function isKnown(error: unknown): boolean {
  return hasStatus(error, 409)
}

function knownTrackId(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem?.track_id : undefined
}

/** Files after which lists are loaded again while more are under way. */
const DONE_PER_REFRESH = 10

/** Refetches the answers that imports change. */
export function useImportEffects(): void {
  const client = useQueryClient()
  const imports = useTransfers(importQueue)
  useTransferEffects(importQueue)
  const doneCount = imports.filter(({ phase }) => phase === 'done').length
  const refreshCount = imports.some(isUnderWay) ? Math.floor(doneCount / DONE_PER_REFRESH) : doneCount

  useEffect(() => {
    const events = new Set(importQueue.list().map(({ eventId }) => eventId))
    if (refreshCount > 0) {
      for (const eventId of events) void client.invalidateQueries({ queryKey: aboutKey(eventId) })
    }
  }, [client, refreshCount])
}
