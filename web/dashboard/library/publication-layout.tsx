import { Alert, Breadcrumbs, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { BookOpen, ChartNoAxesColumn, CircleAlert, EyeOff } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { AnchorLink, type Tab, TabLinks, useCurrentTab } from '../components/links.tsx'
import { LiveStatus } from '../components/live-status.tsx'
import { LoadedPage } from '../components/page-frames.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetPublicationOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useLiveLibrary } from './live-library.ts'
import { PublicationBadge, RenderingProgress } from './publication-state.tsx'
import { reasonKey } from './upload-errors.ts'

const TABS = [
  { to: paths.publication, key: 'publication.overview', icon: BookOpen },
  { to: paths.publicationReaders, key: 'publication.readers', icon: ChartNoAxesColumn },
] as const satisfies readonly Tab[]

/** The frame of a publication's pages: its title, its state and the tabs. */
export function PublicationLayout() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery({
    ...operatorGetPublicationOptions({ path: { id: publicationId } }),
    refetchInterval: ({ state }) => untilNextChangeMs(state.data),
  })
  return <LoadedPage query={publication}>{(found) => <PublicationFrame publication={found} />}</LoadedPage>
}

/** Longest pause of a timer in a browser. */
const MAX_PAUSE_MS = 2 ** 31 - 1

/** Returns the time until the clock changes who reads a publication; false if it does not. */
function untilNextChangeMs(publication: OperatorPublication | undefined): number | false {
  const { publish_at = null, expires_at = null } = publication ?? {}
  const ahead = [publish_at, expires_at].map((time) => Date.parse(time ?? '') - Date.now()).filter((ms) => ms > 0)
  return ahead.length > 0 && Math.min(...ahead, MAX_PAUSE_MS) + 1_000 <= MAX_PAUSE_MS
    ? Math.min(...ahead) + 1_000
    : false
}

function PublicationFrame({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const live = useLiveLibrary(publication.workspace.id)
  const tab = useCurrentTab(TABS)
  const { id, title, workspace, page_count: count } = publication
  return (
    <>
      <Stack gap={6}>
        <Breadcrumbs>
          <AnchorLink to={paths.workspaces} size="sm" activeOptions={{ exact: true }}>
            {t('nav.workspaces')}
          </AnchorLink>
          <AnchorLink to={paths.workspace} params={{ workspaceId: workspace.id }} size="sm">
            {workspace.name}
          </AnchorLink>
        </Breadcrumbs>
        <PageTitle title={title} windowTitle={`${t(tab.key)} · ${title}`} />
        <Group gap="sm">
          <PublicationBadge publication={publication} />
          <Text c="dimmed" size="sm" className="figures">
            {t('publication.pages', { count, figure: format.count(count) })}
            {' · '}
            {format.dateTime(publication.created_at)}
          </Text>
          <LiveStatus state={live} liveLabel="live.upToDate" />
        </Group>
        <div role="status">
          <RenderingProgress publication={publication} />
        </div>
      </Stack>
      <PublicationAlerts publication={publication} />
      <TabLinks label={t('publication.parts')} tabs={TABS} params={{ publicationId: id }} />
      <Outlet />
    </>
  )
}

/** Alerts for a publication that is unpublished, cannot be shown, or has lost files. */
function PublicationAlerts({ publication }: { publication: OperatorPublication }) {
  const { damage, failure, visibility, unpublished_at, publish_at, expires_at } = publication
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      {visibility === 'draft' && (
        <Alert color="blue" icon={<EyeOff aria-hidden />} title={t('publication.isDraft')}>
          {t('publication.isDraftHelp')}
        </Alert>
      )}
      {visibility === 'scheduled' && (
        <Alert color="blue" icon={<EyeOff aria-hidden />} title={t('publication.scheduled')}>
          {t('visibility.isScheduled', { time: format.dateTime(publish_at ?? '') })}
        </Alert>
      )}
      {visibility === 'expired' && (
        <Alert color="gray" icon={<EyeOff aria-hidden />} title={t('publication.expired')}>
          {t('visibility.isExpired', { time: format.dateTime(expires_at ?? '') })}
        </Alert>
      )}
      {unpublished_at !== null && (
        <Alert color="gray" icon={<EyeOff aria-hidden />} title={t('publication.notPublic')}>
          {t('publication.unpublishedSince', { time: format.dateTime(unpublished_at) })}
        </Alert>
      )}
      {failure !== null && (
        <Alert color="red" icon={<CircleAlert aria-hidden />} title={t('publication.failedTitle')}>
          {t(reasonKey(failure.code))} {t('publication.failedHelp')}
        </Alert>
      )}
      {damage !== null && <DamageAlert damage={damage} />}
    </>
  )
}

type DamageAlertProps = { damage: NonNullable<OperatorPublication['damage']> }

/** Tells what is wrong with the stored files, which only those who run the server can repair. */
function DamageAlert({ damage: { document, images } }: DamageAlertProps) {
  const { t } = useTranslation()
  return (
    <Alert color="red" icon={<CircleAlert aria-hidden />} title={t('damage.title')}>
      {document !== null && `${t(`damage.${document}`)} `}
      {images > 0 && `${t('damage.images', { count: images })} `}
      <Trans i18nKey="damage.help" components={{ code: <Code style={{ whiteSpace: 'nowrap' }} /> }} />
    </Alert>
  )
}
