import type { Key } from '../i18n/en.ts'

/** A command to paste into a terminal, and its name. */
type ShellCommand = { key: Key; command: string }

/**
 * Returns the requests of an app as commands that run unchanged: start a track, send a point, finish the track. A shell
 * variable carries the track's id from one to the next.
 */
export function appCommands(baseUrl: string, token: string): ShellCommand[] {
  return [
    {
      key: 'token.curlCreate',
      command: [
        `TRACK=$(curl -s ${baseUrl}/tracks \\`,
        `  -H 'X-API-Key: ${token}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d "{\\"device_track_id\\":\\"test-$(date +%s)\\",\\"title\\":\\"Test\\"}" \\`,
        `  | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'); echo $TRACK`,
      ].join('\n'),
    },
    {
      key: 'token.curlPoint',
      command: [
        `curl -i ${baseUrl}/tracks/$TRACK/points \\`,
        `  -H 'X-API-Key: ${token}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d "{\\"points\\":[{\\"latitude\\":45.9237,\\"longitude\\":6.8694,\\"timestamp\\":\\"$(date -u +%FT%TZ)\\"}]}"`,
      ].join('\n'),
    },
    {
      key: 'token.curlFinish',
      command: [`curl -X POST ${baseUrl}/tracks/$TRACK/finish \\`, `  -H 'X-API-Key: ${token}'`].join('\n'),
    },
  ]
}

/** Returns the content of the QR code for an app: the server's address and the token. */
export function appSetupCode(baseUrl: string, token: string): string {
  return JSON.stringify({ base_url: baseUrl, token })
}

/**
 * Returns the requests that publish a file as commands that run unchanged in a folder with a `document.pdf`: request an
 * upload address, send the file, create the publication. A shell variable carries the ticket from one to the next.
 */
export function publishCommands(baseUrl: string, apiKey: string): ShellCommand[] {
  const json = ["  -H 'Content-Type: application/json' \\"]
  const key = [`  -H 'X-API-Key: ${apiKey}' \\`]
  return [
    {
      key: 'key.curlTicket',
      command: [
        `TICKET=$(curl -s ${baseUrl}/publications/upload-url \\`,
        ...key,
        ...json,
        `  -d '{"type":"pdf"}'); echo "$TICKET"`,
        `of() { echo "$TICKET" | sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }`,
      ].join('\n'),
    },
    {
      key: 'key.curlUpload',
      command: [`curl -T document.pdf "$(of uploadUrl)" \\`, "  -H 'Content-Type: application/pdf'"].join('\n'),
    },
    {
      key: 'key.curlCreate',
      command: [
        `curl ${baseUrl}/publications \\`,
        ...key,
        ...json,
        `  -d "{\\"title\\":\\"Test\\",\\"sourceType\\":\\"pdf\\",\\"storageKey\\":\\"$(of storageKey)\\",\\"pdfPath\\":\\"$(of pdfPath)\\"}"`,
      ].join('\n'),
    },
  ]
}
