"""Tables with a relation in SQLite, a query with a join, a transaction rolled back."""

from sqlalchemy import ForeignKey, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "author"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    books: Mapped[list["Book"]] = relationship(back_populates="author")


class Book(Base):
    __tablename__ = "book"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    author_id: Mapped[int] = mapped_column(ForeignKey("author.id"))
    author: Mapped[Author] = relationship(back_populates="books")


engine = create_engine("sqlite:////tmp/books.db")
Base.metadata.create_all(engine)
with Session(engine) as session:
    session.add(Author(name="Lem", books=[Book(title="Solaris"), Book(title="Fiasco")]))
    session.commit()
    session.add(Author(name="Nobody"))
    session.rollback()
    counted = select(Author.name, func.count(Book.id)).join(Author.books).group_by(Author.name)
    print(session.execute(counted).all())
    print(session.scalar(select(func.count()).select_from(Author)))
    print(session.scalars(select(Book.title).order_by(Book.title)).all())

# prints:
# [('Lem', 2)]
# 1
# ['Fiasco', 'Solaris']
