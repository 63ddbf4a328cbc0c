import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { mapQuery } from '../../api/map.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { MapForm } from './map-form.tsx'

/** Chooses the map of all pages, with a preview. */
export function MapSettingsPage() {
  const { t } = useTranslation()
  const settings = useQuery(mapQuery)
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('map.title')} windowTitle={`${t('map.title')} · ${t('map.settings')}`} />
        <ButtonLink to={paths.erasures} variant="default">
          {t('erasures.open')}
        </ButtonLink>
      </Group>
      <Text c="dimmed" maw={720}>
        {t('map.explanation')}
      </Text>
      <Loaded query={settings}>{(found) => <MapForm settings={found} />}</Loaded>
    </>
  )
}
