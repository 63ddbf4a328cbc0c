import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventsQuery } from '../../api/events.ts'
import { settingsQuery } from '../../api/settings.ts'
import { workspacesQuery } from '../../api/workspaces.ts'
import { useFormat } from '../../i18n/format.ts'

type Named = { id: string; name: string; created_at: string }

/** The events and workspaces that an operator can be limited to. */
export type LimitChoices = {
  /** The lists, each with its heading; undefined until both are known. */
  groups: { group: string; items: { value: string; label: string }[] }[] | undefined
  error: unknown
  /** Sorts chosen ids by what they are. Those that no longer exist are left out. */
  limitsOf(ids: readonly string[]): { events: string[]; workspaces: string[] }
}

/** Loads the events and workspaces of the services that run. */
export function useLimitChoices(): LimitChoices {
  const { t } = useTranslation()
  const format = useFormat()
  const services = useQuery(settingsQuery).data?.services
  const runs = (service: string) => services?.includes(service) === true
  const events = useQuery({ ...eventsQuery, enabled: runs('tracks') })
  const workspaces = useQuery({ ...workspacesQuery, enabled: runs('publications') })
  const lists: [name: string, service: string, list: Named[] | undefined][] = [
    [t('nav.events'), 'tracks', events.data],
    [t('nav.workspaces'), 'publications', workspaces.data],
  ]
  const isKnown = services !== undefined && lists.every(([, service, list]) => !runs(service) || list !== undefined)
  const labelOf = ({ name, created_at }: Named, list: Named[]) =>
    list.some((other) => other.name === name && other.created_at !== created_at)
      ? `${name} (${format.date(created_at)})`
      : name
  const ofKind = (list: Named[] | undefined, ids: readonly string[]) =>
    (list ?? []).map(({ id }) => id).filter((id) => ids.includes(id))
  return {
    groups: isKnown
      ? lists.map(([group, , list = []]) => ({
          group,
          items: list.map((one) => ({ value: one.id, label: labelOf(one, list) })),
        }))
      : undefined,
    error: events.error ?? workspaces.error,
    limitsOf: (ids) => ({ events: ofKind(events.data, ids), workspaces: ofKind(workspaces.data, ids) }),
  }
}
