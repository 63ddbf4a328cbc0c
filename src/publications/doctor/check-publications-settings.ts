import { type Finding, findingsOf } from '#platform/doctor/finding.ts'

const { ok, warning, error } = findingsOf('publications')

type CheckedSettings = { publicUrl: string; cdnUrl: string; rateLimit: number }

/** Checks the addresses of readers and files against that of the dashboard. */
export function checkPublicationsSettings(
  { publicUrl, cdnUrl, rateLimit }: CheckedSettings,
  baseUrl: string,
): Finding[] {
  const isSecure = baseUrl.startsWith('https://')
  const findings = [
    ['PUBLIC_URL', publicUrl, 'readers are'],
    ['CDN_URL', cdnUrl, 'files are'],
  ].map(([name, url, who]): Finding => {
    if (url === '') return ok(name, 'Not set; BASE_URL is used.')
    if (isSecure && url.startsWith('http://'))
      return error(
        name,
        `${url} is not encrypted, unlike BASE_URL. Browsers refuse it on secure pages.`,
        `Set ${name}=https://…`,
      )
    if (url === baseUrl)
      return warning(
        name,
        `It equals BASE_URL, so ${who} under the host name of the dashboard.`,
        'Use a host name of its own, or leave the setting empty.',
      )
    return ok(name, url)
  })
  if (rateLimit === 0)
    findings.push(
      warning('PUBLICATIONS_RATE_LIMIT', 'There is no limit.', 'Remove the setting, unless the proxy limits requests.'),
    )
  return findings
}
