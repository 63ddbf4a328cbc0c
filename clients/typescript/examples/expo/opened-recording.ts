import { openDatabaseAsync } from 'expo-sqlite'
import settings from 'expo-sqlite/kv-store'
import { openRecording, type Recording } from './recording.ts'

let opened: Promise<Recording> | undefined

/** Opens the recording once for the app and its background task. */
export function recording(): Promise<Recording> {
  opened ??= openDatabaseAsync('trackpress.db').then(async (database) => {
    const baseUrl = (await settings.getItem('server')) ?? 'http://localhost:8080'
    const token = (await settings.getItem('token')) ?? ''
    return await openRecording(database, settings, { baseUrl, token })
  })
  return opened
}
