import { Outlet, useParams } from '@tanstack/react-router'
import { ListOrdered, Route, Timer, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Tab, TabLinks } from '../components/links.tsx'
import { paths, routeIds } from '../components/paths.ts'

const TABS = [
  { to: paths.eventRace, key: 'race.ranking', icon: ListOrdered },
  { to: paths.eventResults, key: 'race.results', icon: Timer },
  { to: paths.eventCourse, key: 'race.course', icon: Route },
  { to: paths.eventRunners, key: 'race.startList', icon: Users },
] as const satisfies readonly Tab[]

/** The frame of the pages about an event's race. */
export function RaceLayout() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  return (
    <>
      <TabLinks label={t('race.parts')} tabs={TABS} params={{ eventId }} isSecondary />
      <Outlet />
    </>
  )
}
