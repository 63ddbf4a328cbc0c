import type { account as english } from '../en/account.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Signing in, one’s own account, and the other operators. */
export const account: TextsOf<typeof english> = {
  'signIn.title': 'Connexion',
  'signIn.name': 'Nom',
  'signIn.password': 'Mot de passe',
  'signIn.showPassword': 'Afficher la saisie',
  'signIn.submit': 'Se connecter',
  'signIn.wrong': 'Le nom ou le mot de passe est incorrect.',
  'signIn.forgotten':
    'Oublié ? Un autre opérateur, ou la personne qui gère le serveur, peut vous donner un nouveau lien de connexion.',

  'password.setTitle': 'Choisissez un mot de passe',
  'password.setExplanation':
    'Le lien qui vous a amené ici ne sert qu’une fois. Ensuite, vous vous connectez avec votre mot de passe.',
  'password.setSubmit': 'Définir le mot de passe et se connecter',
  'password.changeTitle': 'Mot de passe',
  'password.changeSubmit': 'Changer le mot de passe',
  'password.changed': 'Le mot de passe est changé',
  'password.current': 'Mot de passe actuel',
  'password.currentMissing': 'Saisissez le mot de passe actuel',
  'password.currentWrong': 'Le mot de passe actuel est incorrect.',
  'password.new': 'Nouveau mot de passe',
  'password.again': 'Nouveau mot de passe, encore une fois',
  'password.rule': 'Au moins {{count}} caractères. Quelques mots que vous seul réuniriez conviennent bien.',
  'password.tooShort': 'Au moins {{count}} caractères',
  'password.different': 'Les deux mots de passe sont différents',
  'password.weak':
    'Ce mot de passe est trop facile à deviner. Évitez votre nom, les mots courants et les suites de touches.',
  'password.linkOver': 'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',

  'account.title': 'Votre compte',
  'account.signOut': 'Se déconnecter',

  'sessions.title': 'Vos connexions',
  'sessions.explanation': 'Terminez toute session que vous ne connaissez pas, et changez votre mot de passe.',
  'sessions.current': 'Cette session',
  'sessions.unknown': 'Programme inconnu',
  'sessions.lastSeen': 'utilisée',
  'sessions.expires': 'se termine le {{time}}',
  'sessions.from': 'depuis {{address}}',
  'sessions.end': 'Terminer',
  'sessions.endThis': 'Terminer la session de {{name}}',
  'sessions.ended': 'La session est terminée',

  'operators.title': 'Opérateurs',
  'operators.explanation': 'Les opérateurs peuvent tout voir et tout modifier ici.',
  'operators.new': 'Nouvel opérateur',
  'operators.newHelp': 'Vous recevez un lien à transmettre, avec lequel le nouvel opérateur définit son mot de passe.',
  'operators.name': 'Nom',
  'operators.nameMissing': 'Saisissez un nom',
  'operators.nameTaken': 'Il y a déjà un opérateur de ce nom.',
  'operators.since': 'Depuis',
  'operators.lastSignIn': 'Dernière connexion',
  'operators.neverSignedIn': 'jamais',
  'operators.you': 'Vous',
  'operators.createSubmit': 'Ajouter',
  'operators.link': 'Lien de connexion',
  'operators.linkFor': 'Lien de connexion pour {{name}}',
  'operators.linkHelp':
    'Transmettez ce lien vous-même. Il définit un mot de passe, ne sert qu’une fois et se termine le {{time}}.',
  'operators.linkCopy': 'Copier le lien',
  'operators.delete': 'Supprimer',
  'operators.deleteThis': 'Supprimer {{name}}',
  'operators.deleteHelp': 'Ses sessions se terminent aussitôt. Ce qui a été créé reste.',
  'operators.deleted': '{{name}} est supprimé',
}
