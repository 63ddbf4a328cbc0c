import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { hasStatus } from '../../api/api-error.ts'
import { signIn } from '../../api/session.ts'
import { Failure } from '../../feedback/failure.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useContinueAfterSignIn } from './use-continue-after-sign-in.ts'

/** Signs in by name and password. */
export function SignInForm({ back }: { back: string | undefined }) {
  const { t } = useTranslation()
  const continueToPage = useContinueAfterSignIn(back)
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', password: '' } })
  const signingIn = useMutation({ mutationFn: signIn, onSuccess: continueToPage })
  return (
    <form onSubmit={form.onSubmit((values) => signingIn.mutate(values))}>
      <Stack>
        <PageTitle title={t('signIn.title')} />
        <TextInput
          label={t('signIn.name')}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {signingIn.isError &&
          (hasStatus(signingIn.error, 401) ? (
            <FormAlert>{t('signIn.wrong')}</FormAlert>
          ) : (
            <Failure error={signingIn.error} />
          ))}
        <Button type="submit" loading={signingIn.isPending}>
          {t('signIn.submit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('signIn.forgotten')}
        </Text>
      </Stack>
    </form>
  )
}
