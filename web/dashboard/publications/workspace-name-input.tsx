import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'

/** The input for a workspace's name, when creating and when renaming one. */
export function WorkspaceNameInput({ form }: { form: UseFormReturnType<{ name: string }> }) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('field.name')}
      description={t('workspace.nameHelp')}
      required
      maxLength={200}
      autoComplete="off"
      key={form.key('name')}
      {...form.getInputProps('name')}
    />
  )
}
