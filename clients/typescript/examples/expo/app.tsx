import settings from 'expo-sqlite/kv-store'
import { useEffect, useState } from 'react'
import { Button, SafeAreaView, Text, TextInput } from 'react-native'
import { startLocations, stopLocations } from './background-task.ts'
import { recording } from './opened-recording.ts'

/** One screen: where to send, start and finish, and what still waits. */
export function App() {
  const [server, setServer] = useState('http://localhost:8080')
  const [token, setToken] = useState('')
  const [isRunning, setRunning] = useState(false)
  const [status, setStatus] = useState('')

  useEffect(() => {
    let end = () => {}
    void (async () => {
      const [savedServer, savedToken] = [await settings.getItem('server'), await settings.getItem('token')]
      if (savedServer !== null) setServer(savedServer)
      if (savedToken !== null) setToken(savedToken)
      const { queue, isRunning: isNowRunning } = await recording()
      const show = async () => {
        const unsent = (await queue.tracks()).reduce((sum, one) => sum + one.unsentPoints + one.unsentRequests, 0)
        setStatus(`${unsent} to send, ${queue.state.state}`)
      }
      end = queue.onState(() => void show())
      setRunning(await isNowRunning())
      queue.start()
    })()
    return () => end()
  }, [])

  async function start() {
    await settings.setItem('server', server)
    await settings.setItem('token', token)
    const { queue, start: startRecording } = await recording()
    await queue.setToken(token)
    await startRecording()
    if (await startLocations()) setRunning(true)
    else setStatus('Recording needs the permission to use the location, also in the background.')
  }

  async function finish() {
    await stopLocations()
    await (await recording()).finish()
    setRunning(false)
  }

  return (
    <SafeAreaView>
      <Text accessibilityRole="header">Record a track</Text>
      <TextInput accessibilityLabel="Server" value={server} onChangeText={setServer} autoCapitalize="none" />
      <TextInput accessibilityLabel="App token" value={token} onChangeText={setToken} autoCapitalize="none" />
      <Button title={isRunning ? 'Finish' : 'Start recording'} onPress={isRunning ? finish : start} />
      <Text accessibilityLiveRegion="polite">{status}</Text>
    </SafeAreaView>
  )
}
