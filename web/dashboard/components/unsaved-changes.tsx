import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialogs.tsx'

/**
 * Asks before the page is left while something on it is not saved: by a link, by going back or by closing the tab.
 * `isChanged` is called at that moment.
 */
export function UnsavedChanges({ isChanged }: { isChanged(): boolean }) {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({
    // A change of the search, such as of a filter, stays on the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isChanged(),
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  const stay = () => reset?.()
  return (
    <Dialog opened={status === 'blocked'} onClose={stay} title={t('unsaved.title')} isCentered>
      <Stack>
        <Text>{t('unsaved.help')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            {t('unsaved.leave')}
          </Button>
          <Button onClick={stay} data-autofocus>
            {t('unsaved.stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
