import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'

type CourseRemoveProps = { onRemove(): void; removing: { isPending: boolean; error: unknown } }

/** Removes the course after a confirmation. */
export function CourseRemove({ onRemove, removing }: CourseRemoveProps) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('race.removeCourse')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={onRemove}
        confirming={removing}
        title={t('race.removeCourseTitle')}
        confirmLabel={t('race.removeCourseNow')}
      >
        {t('race.removeCourseHelp')}
      </ConfirmDialog>
    </>
  )
}
