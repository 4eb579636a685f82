# SVM Lab for a class: two processes behind Caddy on port 8501. See deploy/README.md.
FROM python:3.13-slim
RUN apt-get update && apt-get install -y --no-install-recommends caddy && rm -rf /var/lib/apt/lists/*
WORKDIR /svm-lab
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY app.py home.py LICENSE README.md pyproject.toml ./
COPY .streamlit .streamlit
COPY data data
COPY deploy deploy
COPY docs docs
COPY pages pages
COPY svmcore svmcore
# compile the solvers now, so that the first class need not wait
RUN useradd --create-home lab && mkdir /data && chown -R lab /svm-lab /data
USER lab
RUN python -m deploy prepare
# what readers load and rooms: mount a volume here to keep it
ENV SVMCORE_DATA=/data
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=6s --start-period=90s CMD python -m deploy health
CMD ["python", "-m", "deploy", "serve", "--processes", "2"]
