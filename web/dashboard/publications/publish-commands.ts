import type { ShellCommand } from '../events/app-commands.ts'

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
