import * as Location from 'expo-location'
import * as TaskManager from 'expo-task-manager'
import { recording } from './opened-recording.ts'

const TASK = 'trackpress-locations'

// The system runs this without the app's screens, also after it has ended the app.
TaskManager.defineTask<{ locations: Location.LocationObject[] }>(TASK, async ({ data, error }) => {
  if (error !== null) return console.warn(error.message)
  await (await recording()).store(data.locations)
})

/** Asks for permission and begins to record in the background. @returns false if the person refuses */
export async function startLocations(): Promise<boolean> {
  const inUse = await Location.requestForegroundPermissionsAsync()
  const always = inUse.granted ? await Location.requestBackgroundPermissionsAsync() : inUse
  if (!always.granted) return false
  await Location.startLocationUpdatesAsync(TASK, {
    accuracy: Location.Accuracy.BestForNavigation,
    timeInterval: 1000,
    // Locations come in groups while the screen is off, which saves the battery.
    deferredUpdatesInterval: 10_000,
    showsBackgroundLocationIndicator: true,
    foregroundService: { notificationTitle: 'Recording', notificationBody: 'Your positions are recorded.' },
  })
  return true
}

/** Ends the recording in the background. */
export async function stopLocations(): Promise<void> {
  if (await Location.hasStartedLocationUpdatesAsync(TASK)) await Location.stopLocationUpdatesAsync(TASK)
}
