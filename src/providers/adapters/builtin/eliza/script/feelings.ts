/** States of mind, good and bad. */
export const FEELINGS = `
key 100: suicide suicidal kill die dying overdose self-harm
  if * @i want to die *
    go $crisis
  if * @i want to kill myself *
    go $crisis
  if * kill myself *
    go $crisis
  if * suicidal *
    go $crisis
  if * suicide *
    go $crisis
  if * want to be dead *
    go $crisis
  if * self-harm *
    go $crisis
  if * overdose *
    go $crisis
  if * is dying *
    say I am sorry to hear it. How are you coping with that?
    say That is hard. Whom do you have at your side?
  if * @died *
    go died

key 0: $crisis
  if *
    say I am only a program and can't help with this. Please call your local emergency number or somebody close now.
    say This is too important for a program. Please talk to a person today: a friend, a doctor or a crisis line.

key 36: died dead death funeral grief grieving mourning
  if * my + @died *
    say I am sorry about your (2). What do you miss most?
    say How has life been without your (2)?
    keep Earlier you mentioned your (2). Would you like to say more about that?
  if *
    say I am sorry. Do you want to talk about it?
    say Loss takes its own time. Where are you with it now?

key 30: sad unhappy depressed miserable low gloomy down heartbroken
  if * because +
    say So it comes from this, that (2). Has it always affected you like this?
    say If that were not so, would you feel better?
  if * make me @sad *
    say What is it about them that makes you (2)?
  if * makes me @sad *
    say Could anything make you less (2)?
    say When did it first make you (2)?
  if * @i am @intensely @sad *
    say I am sorry that you are so (4). Since when?
    say What would make you less (4)?
  if * @i @feel @intensely @sad *
    say I am sorry that you feel so (5). Since when?
  if * @i @feel @sad *
    say I am sorry that you feel (4). What brought it on?
    say Do you often feel (4)?
    say When you feel (4), what do you do?
    say Who notices when you feel (4)?
    keep You said before that you feel (4). Is that still so?
  if * @i have been @sad *
    say How did it begin?
    say What was different before?
  if * @are @sad *
    say What makes it so?
  if * sad *
    say What is saddest about it?
    say Does that sadness have a cause that you can name?

key 29: happy glad cheerful joyful delighted excited proud hopeful great wonderful relieved
  if * not @happy *
    say What is missing?
    say When were you last (2)?
  if * makes me @happy *
    say What is it about it that makes you (2)?
    say How could you have more of that?
  if * @i @feel @happy about +
    say What do you like best about (5)?
  if * @i @feel @happy *
    say I am glad that you feel (4). What brought it about?
    say What would keep you (4) for longer?
    say With whom would you like to share it?
  if * @i am @intensely @happy *
    say I am glad that you are so (4). How did that come about?
  if * that is @happy *
    say It is good to hear you say so. What makes it (2)?
    say What would you do with more of it?

key 30: afraid scared frightened terrified fear fears anxious anxiety nervous panic worried worry worries
  if * afraid of +
    say What about (2) frightens you?
    say What is the worst that (2) could bring?
    say Were you always afraid of (2)?
  if * scared of +
    say What about (2) frightens you?
    say When did (2) first scare you?
  if * @afraid that +
    say How likely is it, do you think, that (3)?
    say What would you do if it came to that?
  if * @afraid about +
    say What do you imagine could happen?
    say When you think about (3), what do you see first?
    keep Earlier you were worried about (3). How does it look to you now?
  if * @worry about +
    say What do you imagine could happen?
    say When you think about (3), what do you see first?
    keep Earlier you were worried about (3). How does it look to you now?
  if * panic *
    say What usually sets it off?
    say What helps you when it comes?
  if * my @person *
    go $person
  if *
    say What does that fear say to you?
    say When is it at its strongest, and when does it leave you alone?
    say What would you do if you were not afraid?

key 30: angry furious mad annoyed irritated rage anger frustrated frustrating annoying
  if * @angry @with +
    say What did you expect of (4)?
    say Have you told (4)?
    say What would you like to say to (4)?
  if * makes me @angry *
    say Which part of it makes you the most (2)?
    say What do you do when you get (2)?
  if * @i @feel @angry *
    say What is underneath it?
    say How do you show that you are (4)?
    say Who knows that you are (4)?
  if * @i was *
    say How do you look at it today?
    say What did you do with that anger?
  if * my @person *
    go $person
  if *
    say What exactly sets it off?
    say Where do you feel it?

key 29: lonely alone lonesome isolated abandoned
  if * leave me alone *
    say I can be quiet. Do you want to stop, or is there something else?
  if * live alone *
    say How is it for you to live by yourself?
  if * @i @feel @lonely *
    say When do you feel (4) the most?
    say Who would you like to have near you?
    say Was there a time when you were less (4)?
    keep You spoke of being (4). Whom have you seen lately?
  if * my @person *
    go $person
  if *
    say What would good company look like?
    say Is it people that you miss, or certain people?

key 28: tired exhausted sleepy weary stressed overwhelmed burnt-out burnout stress
  if * tired of +
    say What about (2) wears you out?
    say How long have you put up with (2)?
  if * @i @feel @tired *
    say What takes so much out of you?
    say When did you last have a proper rest?
    say What could you leave undone this week?
  if * my @person *
    go $person
  if *
    say Where does the pressure come from?
    say What would take some weight off you?

key 28: sleep insomnia awake nightmares nightmare
  if * @cannot sleep *
    say What goes through your head when you lie awake?
    say Since when has sleep been difficult?
  if *
    say How are your nights?
    say What are your last thoughts before you fall asleep?

key 28: better worse
  if * @i @feel better *
    say What has made the difference?
    say What could help it to last?
  if * @i @feel worse *
    say What has happened in between?
  if * better than +
    say What makes the difference?
  if * better *
    say What would be a sign that it is better?
  if * worse *
    say What would be the first thing to get better?

key 29: bored boring
  if * @i @feel bored with +
    say What would you put in the place of (4)?
  if *
    say What would you do if you could do anything this afternoon?
    say When did something last hold your attention?
    say Is it boredom, or does something keep you from starting?

key 29: guilty ashamed guilt shame embarrassed embarrassing regret
  if * regret +
    say What would you do differently about (2)?
    say What did you know then, and what do you know now?
  if * @guilty about +
    say What would have been the right thing to do about (3)?
    say Would you judge somebody else for (3) as strictly?
  if *
    say Who is the judge here?
    say What would it take to forgive yourself?
    say Does anyone else see it that way?

key 29: jealous envious envy jealousy
  if * jealous of +
    say What is it, exactly, that you envy?
    say How would you feel if it were the other way round?
  if *
    say What would you rather have?

key 29: confused lost uncertain unsure undecided
  if * @i @feel lost *
    say Where were you heading before you felt lost?
    say What would be a first landmark?
  if * i lost +
    say What did (2) mean to you?
    say How did you lose (2)?
    keep You told me that you lost (2). Does it still weigh on you?
  if * confused about +
    say Which part of (2) is clear to you?
  if *
    say What would you need to know to be sure?
    say Between which choices are you going back and forth?

key 27: hurt hurts pain ache suffer suffering cry crying cried tears
  if * hurt me *
    say What would you want to hear from whoever hurt you?
    say How did you react at the time?
  if * @i @cry *
    say What brings the tears?
    say Is anybody with you when you cry?
    say Does it help afterwards?
  if *
    say Where do you feel it most?
    say What eases it, if only for a while?
`;
