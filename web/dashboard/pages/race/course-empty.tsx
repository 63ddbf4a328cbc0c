import { List, Stack, Text } from '@mantine/core'
import { Route } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useRights } from '../../access/rights.tsx'
import { CourseUpload } from './course-upload.tsx'

/** Replaces a missing course: the use of one, and the sources of a GPX file. */
export function CourseEmpty({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const help = (
    <Stack align="center">
      <CourseUpload eventId={eventId} />
      <div>
        <Text fw={600} size="sm" mt="sm" mb={4} ta="start">
          {t('race.whereGpx')}
        </Text>
        <List size="sm" ta="start" maw={460}>
          {(['race.gpxPlanner', 'race.gpxWatch', 'race.gpxTrack'] as const).map((key) => (
            <List.Item key={key}>{t(key)}</List.Item>
          ))}
        </List>
      </div>
    </Stack>
  )
  return (
    <EmptyState icon={Route} title={t('race.noCourse')} action={canEdit && help}>
      {t(canEdit ? 'race.noCourseHelp' : 'access.noCourse')}
    </EmptyState>
  )
}
