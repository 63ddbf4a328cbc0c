import type { ShellCommand } from '../events/app-commands.ts'

/**
 * What a program does to publish, as commands that work as they stand in a folder with a `document.pdf`: asking for an
 * upload address, sending the file, making the publication. The ticket goes from one to the next by a variable.
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
