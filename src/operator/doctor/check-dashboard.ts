import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, findingsOf } from '#platform/doctor/finding.ts'

const { ok, error } = findingsOf('dashboard')

type CheckedDashboard = { mapStyleUrl: string; baseUrl: string; dashboardDir: string }

/** Checks that the dashboard is built, and that its pages may load the map. */
export function checkDashboard({ mapStyleUrl, baseUrl, dashboardDir }: CheckedDashboard): Finding[] {
  const isBlocked = baseUrl.startsWith('https://') && mapStyleUrl.startsWith('http://')
  return [
    existsSync(join(dashboardDir, 'index.html'))
      ? ok('build', 'The dashboard is built.')
      : error('build', `There is no dashboard in ${dashboardDir}.`, 'Run: npm run build'),
    isBlocked
      ? error(
          'MAP_STYLE_URL',
          'It is not encrypted, unlike BASE_URL, so browsers refuse to load the map.',
          'Use https.',
        )
      : ok('MAP_STYLE_URL', mapStyleUrl === '' ? 'Not set; maps show outlines until an operator chooses one.' : 'Set.'),
  ]
}
