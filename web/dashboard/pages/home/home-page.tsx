import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { settingsQuery } from '../../api/settings.ts'
import { LoadedPage } from '../../feedback/loaded-page.tsx'
import { sectionsOf } from '../../navigation/sections.ts'

/** Redirects to the first section of the services that run. */
export function HomePage() {
  const settings = useQuery(settingsQuery)
  return (
    <LoadedPage query={settings}>{({ services }) => <Navigate to={sectionsOf(services)[0].to} replace />}</LoadedPage>
  )
}
